import { Call } from './call';
import { liveCall } from './call-session.test-support';
import { UserText } from './events';

type Core = typeof import('.');

/** Another copy of this package, as a second version somewhere in a tree of dependencies is. */
function otherCopy(): Core {
  let copy: Core | undefined;
  jest.isolateModules(() => {
    copy = require('.') as Core;
  });
  if (copy === undefined) throw new Error('not loaded');
  return copy;
}

test('an agent written with another copy of the package takes calls', async () => {
  const theirs = otherCopy();
  expect(theirs.Call).not.toBe(Call);

  @theirs.VoiceAgent({ name: 'guest' })
  class GuestAgent {
    readonly heard: string[] = [];

    constructor(
      readonly call: InstanceType<Core['Call']>,
      readonly log: InstanceType<Core['Logger']>,
    ) {}

    @theirs.OnEvent(theirs.UserText)
    hear(event: { readonly type: 'user.text'; readonly text: string; readonly epoch: number }): void {
      this.heard.push(event.text);
      this.log.info('heard');
    }

    greet(tool: InstanceType<Core['ToolContext']>): string {
      if (tool.epoch === 0) throw new theirs.ToolError('too early');
      return 'hello';
    }
  }
  Reflect.defineMetadata('design:paramtypes', [theirs.Call, theirs.Logger], GuestAgent);
  Reflect.defineMetadata('design:paramtypes', [theirs.ToolContext], GuestAgent.prototype, 'greet');
  theirs.Tool('Greets.')(GuestAgent.prototype, 'greet', {});

  const call = await liveCall(GuestAgent);
  call.session.handleEvent(new UserText(1, 'good evening'), 2);
  call.tool('greet');
  call.tool('greet', {}, { epoch: 0 });
  const agent = call.agent as GuestAgent;
  expect(agent.heard).toEqual(['good evening']);
  expect(agent.call.id).toBe(call.session.id);
  expect(call.log.find(({ message }) => message === 'heard')?.callId).toBe(call.session.id);
  expect(call.link.answers).toEqual([
    [1, '"hello"'],
    [2, 'error: too early'],
  ]);
});
