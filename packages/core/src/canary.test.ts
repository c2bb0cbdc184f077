import { inspect } from 'node:util';
import { Injectable, Scope } from '@callwright/di';
import { Arg } from './arg';
import { liveCall } from './call-session.test-support';
import { UseFilters, UseGuards, UseInterceptors } from './enhancers';
import { UserText } from './events';
import type { ExecutionContext } from './execution-context';
import { Catch, type ExceptionFilter } from './filter';
import type { OnCallEnd } from './hooks';
import type { Interceptor } from './interceptor';
import { RetryInterceptor } from './interceptors/retry';
import { TimingInterceptor } from './interceptors/timing';
import { CallerIdentity } from './link';
import { jsonLine, terminalLine } from './log-lines';
import { OnEvent } from './on-event';
import { createParamDecorator } from './parameter-decorators';
import { ParseE164Pipe } from './pipes/parse-e164';
import { Interval } from './timers';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

/** Stands in everything that a caller gives; it must stand in no line of the log. */
const CANARY = '390612345678';

class Canary extends Error {
  constructor() {
    super(`failed for +${CANARY}`);
  }
}

const contexts: ExecutionContext[] = [];
const Failing = createParamDecorator((): string => {
  throw new Canary();
});

@Catch(Canary)
class RethrowingFilter implements ExceptionFilter<Canary> {
  catch(error: Canary, context: ExecutionContext): string {
    if (context.kind === 'tool') return 'that did not work';
    throw new RangeError(`while handling: ${error.message}`, { cause: error });
  }
}

const keeping: Interceptor = {
  intercept(context, next) {
    contexts.push(context);
    return next();
  },
};

@Injectable({ scope: Scope.CALL })
class Provider {
  [Symbol.dispose](): never {
    throw new Canary();
  }
}

@VoiceAgent({ name: 'desk' })
@UseInterceptors(new TimingInterceptor({ level: 'trace' }), new RetryInterceptor({ delayMs: 0 }), keeping)
@UseFilters(RethrowingFilter)
class DeskAgent implements OnCallEnd {
  constructor(readonly provider: Provider) {}

  @Tool('Fails.')
  fails(@Arg('phone') _phone: string): never {
    throw new Canary();
  }

  @Tool('Fails before it begins.')
  injects(@Failing() _value: string): void {}

  @Tool('Refuses the number.')
  parses(@Arg('phone', {}, ParseE164Pipe) _phone: string): void {}

  @Tool('Is guarded by what fails.')
  @UseGuards({
    canActivate: () => {
      throw new Canary();
    },
  })
  guarded(): void {}

  @Tool('Is keyed by what the caller said.')
  keys(): object {
    return { numbers: { [CANARY]: Number.NaN } };
  }

  @OnEvent(UserText)
  heard(_event: UserText): never {
    throw new Canary();
  }

  @Interval(1_000)
  tick(): never {
    throw new Canary();
  }

  onCallEnd(): never {
    throw new Canary();
  }
}

describe('the log of a call in which everything fails', () => {
  test('holds nothing of the caller, at any level, in any form', async () => {
    const caller = new CallerIdentity('sip', CANARY, `+${CANARY}`, `+${CANARY}`, false);
    const call = await liveCall(DeskAgent, { caller, providers: [Provider] });
    call.tool('fails', { phone: CANARY });
    call.tool('fails', { phone: 7, [CANARY]: CANARY });
    call.tool('injects', {});
    call.tool('parses', { phone: `${CANARY}x` });
    call.tool('guarded', {});
    call.tool(`unknown`, { phone: CANARY });
    call.tool(CANARY);
    call.tool('keys');
    void call.session.call.say('x');
    call.session.handleCommandResult('c1', false, CANARY, CANARY);
    call.session.handleEvent(new UserText(1, CANARY), 1);
    await call.clock.advance(1_000);
    call.session.end('call_ended', 'call_ended');
    await call.clock.advance(1_000);
    const levels = new Set(call.log.map(({ level }) => level));
    expect([...levels].sort()).toEqual(['debug', 'error', 'trace', 'warn']);
    for (const entry of call.log) {
      for (const written of [jsonLine(entry), terminalLine(entry), inspect(entry, { depth: null })]) {
        expect(written).not.toContain(CANARY);
      }
    }
  });

  test('nor does an execution context that somebody prints', () => {
    expect(new Set(contexts.map(({ kind }) => kind))).toEqual(new Set(['tool', 'event', 'hook', 'timer']));
    for (const context of contexts) {
      expect(inspect(context, { depth: null, showHidden: true })).not.toContain(CANARY);
      expect(JSON.stringify(context)).not.toContain(CANARY);
    }
  });
});
