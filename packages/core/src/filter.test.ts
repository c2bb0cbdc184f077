import { Injectable } from '@callwright/di';
import { liveCall, type TestCall } from './call-session.test-support';
import { APP_FILTER, UseFilters } from './enhancers';
import { UserText } from './events';
import type { ExecutionContext } from './execution-context';
import { DeclineCall, ToolError } from './failures';
import { Catch, type ExceptionFilter, takes } from './filter';
import type { OnCallStart } from './hooks';
import { OnEvent } from './on-event';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

class NoConnection extends Error {}
const NUMBER = '+390612345678';

@Catch(NoConnection)
@Injectable()
class ConnectionFilter implements ExceptionFilter<NoConnection> {
  catch(): string {
    return 'the booking system cannot be reached';
  }
}

@Catch()
class EverythingFilter implements ExceptionFilter {
  catch(_error: unknown, context: ExecutionContext): string {
    return `${context.kind} went wrong`;
  }
}

function callThatThrows(
  error: unknown,
  ...filters: (ExceptionFilter | typeof ConnectionFilter)[]
): Promise<TestCall> {
  @UseFilters(...filters)
  @VoiceAgent({ name: 'desk' })
  class Agent {
    @Tool('Acts.')
    act(): void {
      throw error;
    }

    @OnEvent(UserText)
    heard(_event: UserText): void {
      throw error;
    }
  }
  return liveCall(Agent);
}

async function answerTo(
  error: unknown,
  ...filters: Parameters<typeof callThatThrows>[1][]
): Promise<string | undefined> {
  const call = await callThatThrows(error, ...filters);
  call.tool('act');
  await call.settle();
  return call.link.answers[0]?.[1];
}

describe('a filter', () => {
  test('gives the model a text; the log gets name and frames, never the message', async () => {
    const call = await callThatThrows(new NoConnection(NUMBER), ConnectionFilter);
    call.tool('act');
    expect(call.link.answers).toEqual([[1, 'error: the booking system cannot be reached']]);
    const line = call.log.find(({ message }) => message === 'a filter answered an exception');
    expect(line?.fields).toMatchObject({
      method: 'Agent.act',
      filter: 'ConnectionFilter',
      error: {
        name: 'NoConnection',
        frames: expect.arrayContaining([expect.stringContaining('filter.test')]),
      },
    });
    expect(JSON.stringify(call.log)).not.toContain(NUMBER);
  });

  test('takes the exceptions that it names, and leaves others to the next', async () => {
    expect(await answerTo(new RangeError('x'), ConnectionFilter)).toBe('error: tool failed: RangeError');
    expect(await answerTo(new RangeError('x'), ConnectionFilter, new EverythingFilter())).toBe(
      'error: tool went wrong',
    );
  });

  test('of everything leaves alone what is meant for the model already', async () => {
    expect(await answerTo(new ToolError('no table left'), new EverythingFilter())).toBe(
      'error: no table left',
    );
  });

  test('that names ToolError takes it, also one of a second copy of the package', () => {
    @Catch(ToolError)
    class ToolErrorFilter implements ExceptionFilter {
      catch(): undefined {}
    }
    jest.resetModules();
    const { ToolError: Copy } = jest.requireActual<typeof import('./failures')>('./failures');
    expect(new Copy('x')).not.toBeInstanceOf(ToolError);
    expect(takes(new ToolErrorFilter(), undefined, new Copy('x'))).toBe(true);
  });

  test('may wait, may decline, and may throw something else', async () => {
    const slow: ExceptionFilter = { catch: async () => 'after a while' };
    const declines: ExceptionFilter = { catch: async () => undefined };
    const rethrows: ExceptionFilter = {
      catch: () => {
        throw new ToolError('in its place');
      },
    };
    expect(await answerTo(new Error('x'), slow)).toBe('error: after a while');
    expect(await answerTo(new Error('x'), declines, slow)).toBe('error: after a while');
    expect(await answerTo(new Error('x'), rethrows, slow)).toBe('error: in its place');
    expect(await answerTo(new Error('x'), rethrows)).toBe('error: in its place');
  });

  test('deals with the exception of an event handler', async () => {
    const call = await callThatThrows(new NoConnection(NUMBER), ConnectionFilter);
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.settle();
    expect(call.log.map(({ message }) => message)).toEqual(['a filter answered an exception']);
  });

  test('of the application may be another name of a provider; what has no catch() is a boot error', async () => {
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      act(): void {
        throw new NoConnection(NUMBER);
      }
    }
    const named = [ConnectionFilter, { provide: APP_FILTER, useExisting: ConnectionFilter }];
    const call = await liveCall(Agent, { providers: named });
    call.tool('act');
    expect(call.link.answers).toEqual([[1, 'error: the booking system cannot be reached']]);
    class NoFilter {}
    const wrong = liveCall(Agent, { providers: [{ provide: APP_FILTER, useClass: NoFilter }] });
    await expect(wrong).rejects.toThrow('APP_FILTER was given NoFilter, which has no method catch');
    const plain = liveCall(Agent, { providers: [{ provide: APP_FILTER, useValue: { cath: () => 'x' } }] });
    await expect(plain).rejects.toThrow('APP_FILTER was given an object, which has no method catch');
  });

  test('of the application answers last; a start hook it answers for counts as one that returned nothing', async () => {
    @VoiceAgent({ name: 'desk' })
    class Agent implements OnCallStart {
      onCallStart(): never {
        throw new NoConnection(NUMBER);
      }
    }
    const providers = [{ provide: APP_FILTER, useClass: ConnectionFilter }];
    const call = await liveCall(Agent, { providers });
    expect(call.session.call.state).toBe('live');
    @VoiceAgent({ name: 'desk' })
    class Declining implements OnCallStart {
      onCallStart(): never {
        throw new DeclineCall('busy');
      }
    }
    const everything = [{ provide: APP_FILTER, useValue: new EverythingFilter() }];
    await expect(liveCall(Declining, { providers: everything })).rejects.toBeInstanceOf(DeclineCall);
  });
});
