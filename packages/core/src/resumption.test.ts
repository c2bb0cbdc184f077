import { Arg } from './arg';
import { Call } from './call';
import { liveCall, RecordingLink, type TestCall } from './call-session.test-support';
import { CallResumed, UserText } from './events';
import { CallClosed } from './failures';
import { OnEvent } from './on-event';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

const WINDOW_MS = 15_000;
const sideEffect = { kind: 'side_effect' } as const;

@VoiceAgent({ name: 'desk', resume: true })
class Desk {
  readonly lines: string[] = [];
  readonly releases: (() => void)[] = [];
  readonly contexts: ToolContext[] = [];
  greetsAgain = false;

  constructor(readonly call: Call) {}

  onCallParked(): void {
    this.lines.push(`parked ${this.call.state}`);
  }

  onCallResumed(event: CallResumed): void {
    this.lines.push(`resumed ${event.attempt} ${this.call.resumeCount}`);
  }

  onCallEnd(end: { reason: string }): void {
    this.lines.push(`end ${end.reason}`);
  }

  @OnEvent(UserText)
  heard(event: UserText): void | Promise<void> {
    this.lines.push(event.text);
    if (event.text === 'wait') return this.#released();
  }

  @OnEvent(CallResumed)
  backAgain(event: CallResumed): void {
    this.lines.push(`seen ${event.seenSeq}`);
    if (this.greetsAgain) void this.call.say('We were cut off.');
  }

  @Tool('Reads.')
  read(tool: ToolContext): Promise<void> {
    this.contexts.push(tool);
    return this.#released();
  }

  @Tool({ description: 'Books.', kind: 'side_effect' })
  async book(@Arg('table') table: number, tool: ToolContext): Promise<string> {
    this.contexts.push(tool);
    this.lines.push(`book ${table}`);
    await this.#released();
    return `booked ${table}`;
  }

  @Tool({
    description: 'Pays.',
    kind: 'side_effect',
    reconcile: (args, tool) => (args.id === 1 ? `paid ${tool.wireKey}` : undefined),
  })
  async pay(@Arg('id') id: number, tool: ToolContext): Promise<string> {
    this.lines.push(`pay ${id}`);
    await new Promise((_resolve, reject) => {
      tool.signal.addEventListener('abort', () => reject(tool.signal.reason));
    });
    return 'never';
  }

  #released(): Promise<void> {
    return new Promise((resolve) => {
      this.releases.push(resolve);
    });
  }
}

type DeskCall = TestCall & { agent: Desk };
const deskCall = async (): Promise<DeskCall> => (await liveCall(Desk)) as DeskCall;

function resume(call: DeskCall, attempt = 1): RecordingLink {
  const link = new RecordingLink();
  call.session.resume(link, new CallResumed(attempt, 9, 800, 8));
  return link;
}

describe('a lost link', () => {
  it('parks the call: the instance stays, commands fail, no end hook runs', async () => {
    const call = await deskCall();
    const said = call.session.call.say('a');
    call.session.handleLinkLost(WINDOW_MS);
    await expect(said).rejects.toBeInstanceOf(CallClosed);
    await expect(call.session.call.say('b')).rejects.toBeInstanceOf(CallClosed);
    await call.settle();
    expect(call.agent.lines).toEqual(['parked parked']);
  });

  it('comes back to the same instance: hooks after the queued events, then what comes on the new link', async () => {
    const call = await deskCall();
    call.session.handleEvent(new UserText(1, 'wait'), 2);
    call.session.handleEvent(new UserText(1, 'queued'), 3);
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call, 2);
    call.session.handleEvent(new UserText(2, 'new'), 11);
    call.agent.releases[0]?.();
    await call.settle();
    expect(call.agent.lines).toEqual(['wait', 'queued', 'parked live', 'seen 8', 'resumed 2 1', 'new']);
    await call.session.call.say('back', { wait: false });
    expect(link.commands.map(({ command }) => command.type)).toEqual(['say']);
  });

  it('ends the call once when it stays away', async () => {
    const call = await deskCall();
    call.session.handleLinkLost(WINDOW_MS);
    await call.clock.advance(WINDOW_MS - 1);
    expect(call.session.state).toBe('parked');
    await call.clock.advance(1);
    expect(call.agent.lines).toEqual(['parked parked', 'end link_closed']);
    expect(call.clock.pendingTimerCount).toBe(0);
    resume(call);
    expect(call.session.state).toBe('ended');
  });

  it('ends the call at once after an agreed end', async () => {
    const call = await deskCall();
    const ended = call.session.call.end();
    call.session.handleCommandResult('c1', true);
    await ended;
    call.session.handleLinkLost(WINDOW_MS);
    await call.settle();
    expect(call.agent.lines).toEqual(['end ended_by_agent']);
  });

  it('sends what a handler says at once on the new link, and sends it once', async () => {
    const call = await deskCall();
    call.agent.greetsAgain = true;
    call.session.handleLinkLost(WINDOW_MS);
    await call.settle();
    const link = resume(call);
    await call.settle();
    expect(link.commands.map(({ command }) => command.type)).toEqual(['say']);
  });

  it('leaves an end in doubt: it is sent again under its id when the server comes back', async () => {
    const call = await deskCall();
    const ended = call.session.call.end({ say: 'bye' });
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    expect(link.commands).toEqual([
      { command: { type: 'end', say: 'bye', reason: undefined }, id: 'c1', re: undefined },
    ]);
    call.session.handleCommandResult('c1', true);
    await expect(ended).resolves.toBeUndefined();
  });
});

describe('tools over a lost link', () => {
  it('reads stop; their results are not sent on the new link', async () => {
    const call = await deskCall();
    call.tool('read');
    call.session.handleLinkLost(WINDOW_MS);
    expect(call.agent.contexts[0]?.signal.aborted).toBe(true);
    const link = resume(call);
    call.agent.releases[0]?.();
    await call.settle();
    expect([...call.link.sent, ...link.sent]).toEqual([]);
  });

  it('a side effect cut off and asked for again runs once; the model is told when nobody asks', async () => {
    const call = await deskCall();
    call.tool('book', { table: 1 }, sideEffect);
    call.session.handleLinkLost(WINDOW_MS);
    expect(call.agent.contexts[0]).toMatchObject({ cancelRequested: 'link_closed' });
    const link = resume(call);
    const again = call.tool('book', { table: 1 }, { ...sideEffect, wireKey: 'new key' });
    call.agent.releases[0]?.();
    await call.settle();
    expect(call.agent.lines.filter((line) => line === 'book 1')).toHaveLength(1);
    expect(link.answers).toEqual([[again, '"booked 1"']]);
    call.tool('book', { table: 1 }, { ...sideEffect, wireKey: 'newer key' });
    expect(call.agent.lines.filter((line) => line === 'book 1')).toHaveLength(2); // told: this is a new wish
  });

  it('a side effect does not start on a link that this side gave up, before anybody hears of its end', async () => {
    const call = await deskCall();
    call.link.isOpen = false;
    call.tool('book', { table: 1 }, sideEffect);
    await call.settle();
    expect(call.agent.lines).toEqual([]);
    call.session.handleLinkLost(WINDOW_MS);
    resume(call);
    call.tool('book', { table: 1 }, { ...sideEffect, wireKey: 'again' });
    expect(call.agent.lines.filter((line) => line === 'book 1')).toHaveLength(1);
  });

  it('an outcome that was told just before another loss stands for identical requests anew', async () => {
    const call = await deskCall();
    call.tool('book', { table: 1 }, sideEffect);
    call.session.handleLinkLost(WINDOW_MS);
    call.agent.releases[0]?.();
    await call.settle();
    expect(resume(call).commands).toHaveLength(1);
    await call.clock.advance(10_000);
    call.session.handleLinkLost(WINDOW_MS);
    const third = resume(call);
    expect(third.commands).toEqual([]); // each is told once
    await call.clock.advance(119_000); // past the time of the first loss, not of the second
    const again = call.tool('book', { table: 1 }, { ...sideEffect, wireKey: 'new key' });
    expect(third.answers).toEqual([[again, '"booked 1"']]);
    expect(call.agent.lines.filter((line) => line === 'book 1')).toHaveLength(1);
  });

  it('an outcome that came while parked is told to the model once, as a system message', async () => {
    const call = await deskCall();
    call.tool('book', { table: 1 }, sideEffect);
    call.session.handleLinkLost(WINDOW_MS);
    call.agent.releases[0]?.();
    await call.settle();
    const link = resume(call);
    expect(link.commands.map(({ command }) => command)).toEqual(
      [
        {
          type: 'context.update',
          systemPrompt: undefined,
          append: [{ role: 'system', text: expect.stringContaining('Its result: "booked 1"') }],
        },
      ].map(({ systemPrompt: _none, ...command }) => command),
    );
    call.session.handleLinkLost(WINDOW_MS);
    expect(resume(call).commands).toEqual([]);
  });

  it('many outcomes are told in several messages, each small enough', async () => {
    const call = await deskCall();
    for (let table = 0; table < 40; table++) {
      call.tool('book', { table }, { ...sideEffect, wireKey: `book ${table}` });
    }
    call.session.handleLinkLost(WINDOW_MS);
    for (const release of call.agent.releases) release();
    await call.settle();
    const updates = resume(call).commands.map(({ command }) => command);
    const notes = updates.map((command) => (command.type === 'context.update' ? command.append?.length : 0));
    expect(notes).toEqual(Array.from({ length: 10 }, () => 4));
  });

  it('an outcome that comes after the resumption is told then', async () => {
    const call = await deskCall();
    call.tool('book', { table: 1 }, sideEffect);
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    expect(link.sent).toEqual([]);
    call.agent.releases[0]?.();
    await call.settle();
    expect(link.commands).toHaveLength(1);
  });

  it('an answer sent just before the loss is in doubt: the identical request gets it and does not run', async () => {
    const call = await deskCall();
    call.tool('book', { table: 1 }, sideEffect);
    call.agent.releases[0]?.();
    await call.settle();
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    const again = call.tool('book', { table: 1 }, { ...sideEffect, wireKey: 'new key' });
    expect(link.answers).toEqual([[again, '"booked 1"']]);
    expect(call.agent.lines.filter((line) => line === 'book 1')).toHaveLength(1);
  });

  it('a side effect stopped past its grace has an unknown outcome; reconcile may know it', async () => {
    const call = await deskCall();
    for (const id of [1, 2]) call.tool('pay', { id }, { ...sideEffect, wireKey: `pay${id}` });
    call.session.handleLinkLost(60_000);
    await call.clock.advance(30_000);
    const link = resume(call);
    const known = call.tool('pay', { id: 1 }, { ...sideEffect, wireKey: 'again 1' });
    const unknown = call.tool('pay', { id: 2 }, { ...sideEffect, wireKey: 'again 2' });
    await call.settle();
    expect(call.agent.lines.filter((line) => line.startsWith('pay'))).toEqual(['pay 1', 'pay 2']);
    expect(link.answers).toEqual([
      [known, '"paid pay1"'],
      [unknown, 'error: the outcome is unknown: it may have been done, do not repeat it'],
    ]);
  });
});

describe('the wanted tools over a lost link', () => {
  const sets = (link: RecordingLink): unknown[] =>
    link.commands.flatMap(({ command }) => (command.type === 'tools.set' ? [command.enabled] : []));

  it('come back after 250 ms and once more a second later; a tool outside them is unknown until then', async () => {
    const call = await deskCall();
    await call.session.call.setTools(['book'], { wait: false });
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    expect(sets(link)).toEqual([]);
    call.tool('read');
    expect(link.answers).toEqual([[1, 'error: unknown tool "read"']]);
    await call.clock.advance(250);
    expect(sets(link)).toEqual([['book']]);
    await call.clock.advance(1_000);
    expect(sets(link)).toEqual([['book'], ['book']]);
    await call.clock.advance(5_000);
    expect(sets(link)).toHaveLength(2);
  });

  it('come back with the first message of the new link', async () => {
    const call = await deskCall();
    await call.session.call.setTools(['book'], { wait: false });
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    call.session.noteMessage();
    expect(sets(link)).toEqual([['book']]);
  });

  it('are sent again when they are set right behind a resumption, as the server may override them then', async () => {
    const call = await deskCall();
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    call.session.noteMessage();
    await call.session.call.setTools(['book'], { wait: false });
    await call.clock.advance(5_000);
    expect(sets(link)).toEqual([['book'], ['book']]);
  });

  it('are not sent again once the agent set others', async () => {
    const call = await deskCall();
    await call.session.call.setTools(['book'], { wait: false });
    call.session.handleLinkLost(WINDOW_MS);
    const link = resume(call);
    await call.session.call.setTools('all', { wait: false });
    await call.clock.advance(5_000);
    expect(sets(link)).toEqual([null]);
  });
});
