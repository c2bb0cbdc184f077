import { type Class, Injectable, Scope } from '@callwright/di';
import { sessionOf } from './call-session.test-support';
import { UseFilters, UseGuards, UseInterceptors, UsePipes } from './enhancers';
import { UserText } from './events';
import { OnEvent } from './on-event';
import { createParamDecorator } from './parameter-decorators';
import { TrimPipe } from './pipes/trim';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

async function problemsOf(agent: Class): Promise<string> {
  return sessionOf(agent).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

const guard = { canActivate: () => true };
const interceptor = { intercept: () => 1 };
const Nothing = createParamDecorator(() => undefined);

describe('a decorator that could never act is a boot error', () => {
  test('on a plain method, on a hook, on a handler', async () => {
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @UseGuards(guard)
      plain(): void {}

      @UseGuards(guard)
      @UseInterceptors(interceptor)
      onCallEnd(): void {}

      @OnEvent(UserText)
      @UsePipes(TrimPipe)
      heard(_event: UserText): void {}

      other(@Nothing() _nothing: unknown): void {}
    }
    const message = await problemsOf(Agent);
    expect(message).toContain('Agent.plain: @UseGuards does nothing here');
    expect(message).toContain('Agent.onCallEnd: @UseGuards does nothing here');
    expect(message).toContain('Agent.heard: @UsePipes does nothing here');
    expect(message).toContain('Agent.other: a decorator of its parameter does nothing here');
    expect(message).not.toContain('@UseInterceptors');
  });

  test('and so is one that is given something of another kind', async () => {
    class NoGuard {}
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      @UseGuards(NoGuard as never, undefined as never)
      @UseFilters(guard as never)
      act(): void {}
    }
    const message = await problemsOf(Agent);
    expect(message).toContain('@UseGuards was given NoGuard, which has no method canActivate');
    expect(message).toContain('@UseGuards was given undefined');
    expect(message).toContain('@UseFilters was given [object Object]');
  });

  test('what is wrong with a shared tool set is said once for each place', async () => {
    @Injectable({ scope: Scope.CALL })
    class Tools {
      @UseGuards(guard)
      plain(): void {}
    }
    @VoiceAgent({ name: 'desk', toolSets: [Tools] })
    class Agent {}
    const message = await sessionOf(Agent, { providers: [Tools] }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message.match(/CW_DECORATOR_WITHOUT_EFFECT/g)).toHaveLength(1);
  });
});
