// biome-ignore-all lint/suspicious/noThenProperty: values with a `then` are what this is about
import { Call } from './call';
import { liveCall } from './call-session.test-support';
import { UserText } from './events';
import { OnEvent } from './on-event';
import { isThenable } from './thenable';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

it.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(), true],
  ['what acts as one', { then: () => undefined }, true],
  ['a revoked proxy', revokedProxy(), false],
  [
    'a getter that throws',
    Object.defineProperty({}, 'then', {
      get() {
        throw new Error('no');
      },
    }),
    false,
  ],
  ['a property that is no function', { then: 1 }, false],
  ['null', null, false],
  ['a text', 'then', false],
])('%s is told from other values', (_what, value, expected) => {
  expect(isThenable(value)).toBe(expected);
});

/** As some query builders do it: settles at once, and more than once. */
const eager = {
  then(resolve: (value: string) => void, reject: (error: Error) => void): void {
    resolve('first');
    resolve('second');
    reject(new Error('third'));
  },
};

let heard: string[] = [];

@VoiceAgent({ name: 'odd' })
class OddAgent {
  constructor(readonly call: Call) {}

  @Tool('Returns what acts as a promise.')
  eager(): unknown {
    return eager;
  }

  @Tool('Returns a revoked proxy.')
  revoked(): unknown {
    return revokedProxy();
  }

  @OnEvent(UserText)
  heard(event: UserText): Promise<void> {
    heard.push(`begin ${event.text}`);
    const acting = {
      then(resolve: () => void): void {
        setImmediate(() => {
          heard.push(`end ${event.text}`);
          resolve();
        });
      },
    };
    return acting as unknown as Promise<void>; // plain JavaScript returns what it likes
  }
}

it('a tool that returns what only acts as a promise is answered once', async () => {
  const call = await liveCall(OddAgent);
  call.tool('eager');
  await call.settle();
  expect(call.link.answers).toEqual([[1, '"first"']]);
});

it('a tool that returns what nobody can look at is answered with an error', async () => {
  const call = await liveCall(OddAgent);
  call.tool('revoked');
  expect(call.link.answers).toEqual([[1, expect.stringContaining('error: ')]]);
});

it('a handler that returns what only acts as a promise is waited for', async () => {
  heard = [];
  const { session, settle } = await liveCall(OddAgent);
  session.handleEvent(new UserText(1, 'one'), 2);
  session.handleEvent(new UserText(1, 'two'), 3);
  await settle();
  await settle();
  expect(heard).toEqual(['begin one', 'end one', 'begin two', 'end two']);
});
