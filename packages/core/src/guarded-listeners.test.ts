import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { liveCall } from './call-session.test-support';
import { guardListeners, reportListenersOf } from './guarded-listeners';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

function guardedSignal() {
  const controller = new AbortController();
  const reported: unknown[] = [];
  guardListeners(controller.signal);
  const reason = new Error('stop');
  reportListenersOf(reason, (error) => void reported.push(error));
  return { abort: () => controller.abort(reason), signal: controller.signal, reported };
}

describe('a guarded signal', () => {
  test('reports what listeners of any kind throw, and calls the others', async () => {
    const { abort, signal, reported } = guardedSignal();
    const heard: string[] = [];
    signal.addEventListener('abort', () => {
      throw new Error('a function');
    });
    signal.addEventListener('abort', {
      handleEvent() {
        throw new Error('an object');
      },
    });
    signal.addEventListener('abort', async () => {
      throw new Error('a promise');
    });
    signal.onabort = () => {
      throw new Error('a handler');
    };
    signal.addEventListener('abort', (event) => heard.push(event.type));
    abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported.map((error) => (error as Error).message).sort()).toEqual([
      'a function',
      'a handler',
      'a promise',
      'an object',
    ]);
    expect(heard).toEqual(['abort']);
  });

  test('calls a listener once that was added twice, and not one that was removed', () => {
    const { abort, signal } = guardedSignal();
    const calls: string[] = [];
    const listener = (): void => void calls.push('listener');
    const removed = (): void => void calls.push('removed');
    for (const each of [listener, listener, removed]) signal.addEventListener('abort', each, { once: true });
    signal.removeEventListener('abort', removed);
    abort();
    expect(calls).toEqual(['listener']);
  });

  test('stops what Node passes it to', async () => {
    const { abort, signal } = guardedSignal();
    const waiting = [wait(60_000, undefined, { signal }), once(new EventTarget(), 'never', { signal })];
    const any = AbortSignal.any([signal]);
    abort();
    for (const each of waiting) await expect(each).rejects.toMatchObject({ name: 'AbortError' });
    expect(any.aborted).toBe(true);
  });
});

test('a listener of a tool that throws ends nothing and is logged without its message', async () => {
  @VoiceAgent({ name: 'reader' })
  class ReaderAgent {
    @Tool('Reads.')
    read(tool: ToolContext): Promise<void> {
      tool.signal.addEventListener('abort', () => {
        throw new Error('secret');
      });
      return new Promise(() => {});
    }
  }
  const call = await liveCall(ReaderAgent);
  const id = call.tool('read');
  call.session.handleToolCancel(id, 'interrupted');
  expect(call.log.map(({ message }) => message)).toContain('a listener of a signal failed');
  expect(JSON.stringify(call.log)).not.toContain('secret');
});
