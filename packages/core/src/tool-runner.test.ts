import { Exclude } from 'class-transformer';
import { IsInt, IsString, Max } from 'class-validator';
import { Arg } from './arg';
import { Call } from './call';
import { liveCall, type TestCall } from './call-session.test-support';
import { ToolError } from './failures';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { OPEN_TOOLS_LIMIT, REMEMBERED_IDS } from './tool-runner';
import { VoiceAgent } from './voice-agent';

class Order {
  @IsString() dish!: string;
  @IsInt() @Max(12) count: number = 1;
}

class OddError extends Error {
  override name = 'bad name: +39 06';
}

@VoiceAgent({ name: 'kitchen' })
class Kitchen {
  readonly ran: string[] = [];
  readonly contexts: ToolContext[] = [];
  readonly releases: ((value?: unknown) => void)[] = [];

  constructor(readonly call: Call) {}

  @Tool('Reads.')
  read(@Arg('dish') dish: string, tool: ToolContext): unknown {
    this.contexts.push(tool);
    return this.#wait(dish);
  }

  @Tool({ description: 'Orders.', kind: 'side_effect' })
  order(order: Order, tool: ToolContext): unknown {
    this.contexts.push(tool);
    this.ran.push(`${order.dish} x${order.count}`);
    return this.#wait(order.dish);
  }

  @Tool({ description: 'Rings.', kind: 'side_effect', repeatable: true })
  ring(): number {
    this.ran.push('ring');
    return this.ran.length;
  }

  @Tool('Fails.')
  fail(@Arg('how') how: string): unknown {
    if (how === 'deliberate') throw new ToolError('there is no soup');
    if (how === 'copy') {
      throw Object.assign(new Error('of another copy'), {
        [Symbol.for('callwright:core:failure')]: 'ToolError',
      });
    }
    if (how === 'blank') throw new ToolError('  ');
    if (how === 'odd') throw new OddError('secret');
    if (how === 'text') throw 'secret';
    if (how === 'async') return Promise.reject(new TypeError('secret'));
    throw new RangeError('secret');
  }

  @Tool('Returns.')
  returns(@Arg('what') what: string): unknown {
    if (what === 'nan') return Number.NaN;
    if (what === 'large') return 'x'.repeat(70_000);
    return undefined;
  }

  #wait(dish: string): unknown {
    if (!dish.startsWith('slow')) return `${dish} ready`;
    return new Promise((resolve) => {
      this.releases.push((value = `${dish} ready`) => resolve(value));
    });
  }
}

async function kitchen(): Promise<TestCall & { agent: Kitchen }> {
  return (await liveCall(Kitchen)) as TestCall & { agent: Kitchen };
}

const sideEffect = { kind: 'side_effect' } as const;

describe('tools', () => {
  it('run at once, each on its own, and are answered by id', async () => {
    const call = await kitchen();
    call.tool('read', { dish: 'slow a' });
    call.tool('read', { dish: 'slow b' });
    call.tool('read', { dish: 'c' });
    call.agent.releases[1]?.();
    await call.settle();
    call.agent.releases[0]?.();
    await call.settle();
    expect(call.link.answers).toEqual([
      [3, '"c ready"'],
      [2, '"slow b ready"'],
      [1, '"slow a ready"'],
    ]);
    expect(call.clock.pendingTimerCount).toBeLessThanOrEqual(1);
  });

  it('answer with null when the method returns nothing', async () => {
    const call = await kitchen();
    call.tool('returns', { what: 'nothing' });
    expect(call.link.answers).toEqual([[1, 'null']]);
  });

  it.each([
    ['deliberate', 'there is no soup'],
    ['copy', 'of another copy'],
    ['blank', 'tool failed: ToolError'],
    ['range', 'tool failed: RangeError'],
    ['async', 'tool failed: TypeError'],
    ['odd', 'tool failed: OddError'],
    ['text', 'tool failed: Error'],
  ])('tell the model of a %s failure what it may know', async (how, told) => {
    const call = await kitchen();
    call.tool('fail', { how });
    await call.settle();
    expect(call.link.answers).toEqual([[1, `error: ${told}`]]);
    expect(JSON.stringify(call.log)).not.toContain('secret');
    call.tool('returns', { what: 'next' });
    expect(call.link.answers).toHaveLength(2);
  });

  it('answer a result that JSON has no form for, or that is too large, with an error', async () => {
    const call = await kitchen();
    call.tool('returns', { what: 'nan' });
    call.tool('returns', { what: 'large' });
    expect(call.link.answers).toEqual([
      [1, 'error: the tool ran, but its result cannot be sent: NaN at $'],
      [2, 'error: tool result is too large'],
    ]);
  });

  it.each(['nope', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'then'])(
    'answer the unknown name %s once',
    async (name) => {
      const call = await kitchen();
      call.tool(name, { secret: 'words' });
      expect(call.link.answers).toEqual([[1, `error: unknown tool "${name}"`]]);
      expect(JSON.stringify(call.log)).not.toContain('words');
    },
  );

  it('answer arguments that do not fit with the path and what was expected', async () => {
    const call = await kitchen();
    call.tool('order', { dish: 'soup', count: 13 }, sideEffect);
    expect(call.link.answers).toHaveLength(1);
    expect(call.link.answers[0]?.[1]).toMatch(/^error: .*count/);
    expect(call.agent.ran).toEqual([]);
  });

  it('know a repeated frame by its id, and forget ids after a while', async () => {
    const call = await kitchen();
    const id = call.tool('order', { dish: 'slow soup' }, sideEffect);
    call.tool('order', { dish: 'slow soup' }, { ...sideEffect, id });
    call.agent.releases[0]?.();
    await call.settle();
    call.tool('order', { dish: 'slow soup' }, { ...sideEffect, id });
    expect(call.agent.ran).toEqual(['slow soup x1']);
    expect(call.link.answers).toHaveLength(1);
    for (let next = 0; next < REMEMBERED_IDS - 1; next++)
      call.tool('ring', {}, { kind: 'side_effect', id: 1_000 + next });
    call.tool('read', { dish: 'a' }, { id });
    expect(call.link.answers.filter(([toolId]) => toolId === id)).toHaveLength(1);
    call.tool('ring', {}, { kind: 'side_effect', id: 5_000 });
    call.tool('read', { dish: 'a' }, { id });
    expect(call.link.answers.filter(([toolId]) => toolId === id)).toHaveLength(2);
  });

  it('know the id of what still runs, however many came since', async () => {
    const call = await kitchen();
    const id = call.tool('order', { dish: 'slow soup' }, sideEffect);
    for (let next = 0; next <= REMEMBERED_IDS; next++)
      call.tool('ring', {}, { kind: 'side_effect', id: 1_000 + next });
    call.tool('order', { dish: 'slow pie' }, { ...sideEffect, id, wireKey: 'other' });
    call.agent.releases[0]?.('one');
    await call.settle();
    expect(call.agent.ran.filter((dish) => dish.startsWith('slow'))).toEqual(['slow soup x1']);
    expect(call.link.answers.filter(([toolId]) => toolId === id)).toEqual([[id, '"one"']]);
  });

  it('that could not be read are answered once, with an error, and not at all when their id was answered before', async () => {
    const call = await kitchen();
    call.session.handleUnreadableToolCall(5);
    call.session.handleUnreadableToolCall(5);
    const id = call.tool('read', { dish: 'soup' }, { id: 6 });
    call.session.handleUnreadableToolCall(id);
    expect(call.link.answers).toEqual([
      [5, 'error: the tool call could not be read'],
      [6, '"soup ready"'],
    ]);
  });

  it('run at most 64 at once; the next is answered with an error, and a place is free again afterwards', async () => {
    const call = await kitchen();
    for (let count = 0; count < OPEN_TOOLS_LIMIT; count++) call.tool('read', { dish: 'slow' });
    expect(call.link.answers).toEqual([]);
    call.tool('read', { dish: 'soup' });
    expect(call.link.answers).toEqual([[65, 'error: too many tools are running, try again later']]);
    call.agent.releases[0]?.();
    await call.settle();
    call.tool('read', { dish: 'soup' });
    expect(call.link.answers.at(-1)).toEqual([66, '"soup ready"']);
  });
});

describe('cancelled tools', () => {
  it('a read stops and is not answered, also when it ends in the same moment', async () => {
    const call = await kitchen();
    const id = call.tool('read', { dish: 'slow soup' });
    const [context] = call.agent.contexts;
    const { signal } = context as ToolContext;
    call.session.handleToolCancel(id, 'interrupted');
    call.agent.releases[0]?.();
    await call.settle();
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'ToolCancelled', reason: 'interrupted' });
    expect(call.link.answers).toEqual([]);
  });

  it('a signal asked for after the cancel has fired already', async () => {
    const call = await kitchen();
    const id = call.tool('read', { dish: 'slow soup' });
    call.session.handleToolCancel(id, 'timeout');
    expect(call.agent.contexts[0]?.signal.aborted).toBe(true);
  });

  it('a side effect goes on, knows of it, and is answered', async () => {
    const call = await kitchen();
    const id = call.tool('order', { dish: 'slow soup' }, sideEffect);
    call.session.handleToolCancel(id, 'interrupted');
    expect(call.agent.contexts[0]).toMatchObject({ cancelRequested: 'interrupted' });
    expect(call.agent.contexts[0]?.signal.aborted).toBe(false);
    call.agent.releases[0]?.();
    await call.settle();
    expect(call.link.answers).toEqual([[id, '"slow soup ready"']]);
  });

  it('unknown and repeated cancels do nothing', async () => {
    const call = await kitchen();
    call.session.handleToolCancel(99, 'timeout');
    const id = call.tool('read', { dish: 'slow' });
    call.session.handleToolCancel(id, 'interrupted');
    call.session.handleToolCancel(id, 'timeout');
    expect(call.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('a read whose cancel never came is given up after its time', async () => {
    const call = await kitchen();
    call.tool('read', { dish: 'slow' }, { timeoutMs: 2_000 });
    await call.clock.advance(2_999);
    expect(call.agent.contexts[0]?.cancelRequested).toBeUndefined();
    await call.clock.advance(251);
    expect(call.agent.contexts[0]?.cancelRequested).toBe('timeout');
    await call.clock.advance(300);
    expect(call.clock.pendingTimerCount).toBe(0);
  });

  it.each([
    ['a read', 'read', {}],
    ['a side effect', 'order', sideEffect],
  ])('%s that runs out of time is logged once, without its arguments', async (_, name, more) => {
    const call = await kitchen();
    const id = call.tool(name, { dish: 'slow secret' }, { ...more, timeoutMs: 2_000 });
    call.session.handleToolCancel(id, 'timeout');
    await call.clock.advance(62_000);
    const where = `Kitchen.${name}`;
    expect(call.log.filter(({ message }) => message.startsWith('a tool'))).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'a tool ran out of time',
        fields: { tool: where, timeoutMs: 2_000 },
      }),
    ]);
    expect(JSON.stringify(call.log)).not.toContain('secret');
  });

  it('our own limit is logged as the server’s word is', async () => {
    const call = await kitchen();
    call.tool('read', { dish: 'slow' }, { timeoutMs: 2_000 });
    await call.clock.advance(3_250);
    expect(call.log.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'a tool ran out of time'],
    ]);
  });

  it('a cancel for another reason is no warning', async () => {
    const call = await kitchen();
    call.session.handleToolCancel(call.tool('read', { dish: 'slow' }), 'interrupted');
    expect(call.log).toEqual([
      expect.objectContaining({ level: 'debug', fields: { tool: 'Kitchen.read', reason: 'interrupted' } }),
    ]);
  });

  it('no listener on a signal is reported as a leak', async () => {
    const call = await kitchen();
    const warnings: unknown[] = [];
    const listen = (warning: unknown): void => void warnings.push(warning);
    process.on('warning', listen);
    call.tool('read', { dish: 'slow' });
    const signal = call.agent.contexts[0]?.signal;
    for (let count = 0; count < 50; count++) signal?.addEventListener('abort', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('side effects', () => {
  it('run once per key: a later request gets the recorded answer, an earlier one is joined', async () => {
    const call = await kitchen();
    const key = { ...sideEffect, wireKey: 'k' };
    const first = call.tool('order', { dish: 'slow soup' }, key);
    const joined = call.tool('order', { dish: 'slow soup' }, key);
    call.agent.releases[0]?.('one');
    await call.settle();
    const later = call.tool('order', { dish: 'slow soup' }, key);
    expect(call.agent.ran).toEqual(['slow soup x1']);
    expect(new Map(call.link.answers)).toEqual(
      new Map([
        [first, '"one"'],
        [joined, '"one"'],
        [later, '"one"'],
      ]),
    );
  });

  it('are waited for as what the program declares, whatever the wire calls them', async () => {
    const call = await kitchen();
    const id = call.tool('order', { dish: 'slow soup' }, { kind: 'read_only', wireKey: 'k' });
    await call.clock.advance(30_000);
    call.agent.releases[0]?.('one');
    await call.settle();
    expect(call.link.answers).toEqual([[id, '"one"']]);
  });

  it('are joined by no more than may run at once', async () => {
    const call = await kitchen();
    const key = { ...sideEffect, wireKey: 'k' };
    call.tool('order', { dish: 'slow soup' }, key);
    for (let count = 0; count <= OPEN_TOOLS_LIMIT; count++) call.tool('order', { dish: 'slow soup' }, key);
    expect(call.link.answers.map(([, text]) => text)).toEqual([
      'error: too many tools are running, try again later',
    ]);
    call.agent.releases[0]?.('one');
    await call.settle();
    expect(call.link.answers).toHaveLength(OPEN_TOOLS_LIMIT + 2);
  });

  it('refuse a key that comes again with other arguments', async () => {
    const call = await kitchen();
    const key = { ...sideEffect, wireKey: 'k' };
    call.tool('order', { dish: 'soup' }, key);
    call.tool('order', { dish: 'pie' }, key);
    expect(call.link.answers[1]).toEqual([2, 'error: this request was made before with other arguments']);
  });

  it('forget a request that never began: it may be made again', async () => {
    const call = await kitchen();
    const key = { ...sideEffect, wireKey: 'k' };
    call.tool('order', { dish: 7 }, key);
    call.tool('order', { dish: 'soup' }, key);
    expect(call.link.answers[1]).toEqual([2, '"soup ready"']);
  });

  it('do not run again for an identical request whose first outcome timed out; a later result is told once', async () => {
    const call = await kitchen();
    const first = call.tool('order', { dish: 'slow soup', count: 2 }, sideEffect);
    call.session.handleToolCancel(first, 'timeout');
    const again = call.tool('order', { count: 2, dish: 'slow soup' }, sideEffect);
    call.agent.releases[0]?.();
    await call.settle();
    expect(call.agent.ran).toEqual(['slow soup x2']);
    expect(call.link.answers).toEqual([[again, '"slow soup ready"']]);
    expect(call.link.commands).toEqual([]); // who asked again was answered: nothing is left to tell
  });

  it('run again after the first outcome is forgotten, and at once when they are repeatable or the arguments differ', async () => {
    const call = await kitchen();
    const first = call.tool('order', { dish: 'slow soup' }, sideEffect);
    call.session.handleToolCancel(first, 'timeout');
    call.tool('order', { dish: 'pie' }, sideEffect);
    call.tool('ring', {}, sideEffect);
    call.tool('ring', {}, sideEffect);
    expect(call.agent.ran).toEqual(['slow soup x1', 'pie x1', 'ring', 'ring']);
    await call.clock.advance(120_001);
    call.tool('order', { dish: 'slow soup' }, sideEffect);
    expect(call.agent.ran).toHaveLength(4); // the first still runs: it is joined
    call.agent.releases[0]?.();
    await call.settle();
    await call.clock.advance(120_000);
    call.tool('order', { dish: 'slow soup' }, sideEffect);
    expect(call.agent.ran).toHaveLength(5);
  });

  it('have a key for outside systems that no other call has', async () => {
    const call = await kitchen();
    call.tool('order', { dish: 'soup' }, { ...sideEffect, wireKey: 'k' });
    expect(call.agent.contexts[0]?.idempotencyKey).toBe(`${call.session.id}:k`);
  });
});

describe('results', () => {
  class Reservation {
    @IsInt() number = 7;
    @Exclude() secretNote = 'allergic';
  }

  @VoiceAgent({ name: 'results' })
  class Results {
    @Tool({ description: 'Reads.', kind: 'read_only', result: Reservation })
    reservation(): Reservation {
      return new Reservation();
    }

    @Tool('Returns that many characters.')
    text(@Arg('length') length: number): string {
      return 'x'.repeat(length);
    }
  }

  it('leave through their class, without what it excludes', async () => {
    const call = await liveCall(Results);
    call.tool('reservation');
    expect(call.link.answers).toEqual([[1, '{"number":7}']]);
  });

  it('that the model will not read whole are warned of, once per tool', async () => {
    const call = await liveCall(Results);
    const warnings = () => call.log.filter(({ message }) => message.includes('4,000 bytes'));
    call.tool('text', { length: 3_998 }); // and two quotes
    expect(warnings()).toEqual([]);
    call.tool('text', { length: 3_999 });
    call.tool('text', { length: 5_000 });
    expect(warnings()).toEqual([expect.objectContaining({ fields: { tool: 'Results.text', bytes: 4_001 } })]);
    expect(call.link.answers).toHaveLength(3);
  });
});
