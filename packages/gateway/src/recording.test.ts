import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arg, Call, DeclineCall, OnEvent, Tool, UserText, VoiceAgent } from '@callwright/core';
import { Module } from '@callwright/di';
import { Sensitive } from '@callwright/schema';
import {
  applicationTransport,
  type FakeCall,
  FakeVoiceServer,
  rules,
  VirtualClock,
  when,
} from '@callwright/testing';
import { IsString } from 'class-validator';
import { type Application, createApplication, type RecordingSink } from '.';
import { MAX_RECORDED_CHARACTERS } from './call-recording';

const CALLER = '+390612345678';
const CARD = '4111 1111 1111 1111';

class Payment {
  @Sensitive() @IsString() card!: string;
  @IsString() note!: string;
}

let echo = '';
let declines = false;

@VoiceAgent({ name: 'cashier', greeting: 'Hello!', resume: true })
class CashierAgent {
  constructor(private readonly call: Call) {}

  onCallStart(): undefined {
    if (declines) throw new DeclineCall('busy');
  }

  @Tool('Takes a payment.')
  pay(payment: Payment): { readonly paid: string } {
    return { paid: payment.card };
  }

  @Tool('An echo of any length.')
  echo(@Arg('times', { type: 'integer' }) times: number): string {
    return echo.repeat(times);
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (event.text.startsWith('call me')) await this.call.say(`I call ${event.text.slice(8)}.`);
  }
}

@Module({ agents: [CashierAgent] })
class CashierModule {}

let application: Application;
const clocks = new WeakMap<Application, VirtualClock>();

class Lines implements RecordingSink {
  readonly names: string[] = [];
  readonly lines: string[] = [];
  closed = 0;

  open(name: string) {
    this.names.push(name);
    return { write: (line: string) => void this.lines.push(line), close: () => void this.closed++ };
  }

  get entries(): Record<string, any>[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  frames(from: 'server' | 'agent', type: string): Record<string, any>[] {
    return this.entries.flatMap((entry) => (entry[from]?.type === type ? [entry[from]] : []));
  }
}

async function call(record: RecordingSink | { directory: string }, log: string[] = []): Promise<FakeCall> {
  const clock = new VirtualClock();
  application = await createApplication(CashierModule, {
    clock,
    record,
    log: { level: 'warn', sink: { write: ({ message }) => void log.push(message) } },
  });
  clocks.set(application, clock);
  const transport = applicationTransport(application, { clock });
  const brain = rules([when(/./).say(`Yes, ${CARD}.`)]);
  return new FakeVoiceServer({ transport, clock, brain }).call({ from: CALLER, to: '+390699999999' });
}

const clock = (): VirtualClock => clocks.get(application) as VirtualClock;

async function finish(live: FakeCall): Promise<void> {
  await clock().runUntil(live.hangUp());
  await clock().runUntil(application.close());
}

describe('a recording', () => {
  it('has every frame of both directions in order, with its time, and the end of the call', async () => {
    const record = new Lines();
    const live = await call(record);
    await live.user('hello');
    await clock().advance(1_500);
    await live.tool('echo', { times: 0 });
    await finish(live);
    const [head, ...entries] = record.entries;
    expect(head).toEqual({
      recording: 1,
      callId: expect.any(String),
      agent: 'cashier',
      startedAt: '2026-01-01T00:00:00.000Z',
    });
    expect(entries[0]).toMatchObject({ atMs: 0, server: { type: 'session.start', agent: 'default' } });
    expect(entries[1]).toMatchObject({ atMs: 0, agent: { type: 'session.accept', greeting: 'Hello!' } });
    expect(entries.at(-1)).toEqual({ atMs: 1_500, end: 'call_ended' });
    expect(entries.find((entry) => entry.agent?.type === 'tool.result')).toMatchObject({ atMs: 1_500 });
    const wire = live.frames.map(({ from, text }) => `${from} ${JSON.parse(text).type}`);
    const recorded = entries.flatMap(({ server, agent }) =>
      server ? [`server ${server.type}`] : agent ? [`agent ${agent.type}`] : [],
    );
    expect(recorded.sort()).toEqual(wire.sort());
    expect(record).toMatchObject({
      names: [expect.stringMatching(/^20260101T000000000Z-[\w-]+$/)],
      closed: 1,
    });
  });

  it('has neither numbers of the caller, nor sensitive arguments, nor long numbers in words', async () => {
    const record = new Lines();
    const live = await call(record);
    await live.user(`my card is ${CARD}`);
    await live.user('call me 06 1234 5678 or 333-444-5555');
    await live.tool('pay', { card: CARD, note: `from ${CALLER} with 4111111111111111` });
    await live.tool('pay', { card: 'tiny', note: 'x' });
    await live.user('tiny is my word');
    await finish(live);
    const text = record.lines.join('\n').replaceAll(/[ -]/g, '');
    expect(text).not.toMatch(/0612345678|4111|99999999|3334445555|"tiny/);
    expect(record.frames('server', 'session.start')[0]?.call).toMatchObject({
      from: '[caller]',
      to: '[called]',
      carrier_call_id: '[carrier-call]',
    });
    expect(record.frames('server', 'tool.call').map((frame) => frame.arguments)).toEqual([
      { card: '[sensitive]', note: 'from [caller] with [sensitive]' },
      { card: '[sensitive]', note: 'x' },
    ]);
    expect(record.frames('agent', 'tool.result')[0]).toMatchObject({ result: { paid: '[sensitive]' } });
    expect(record.frames('agent', 'say')[0]).toMatchObject({ text: 'I call [caller] or [digits].' });
    expect(record.frames('server', 'user.text').map((frame) => frame.text)).toEqual([
      'my card is [digits]',
      'call me [caller] or [digits]',
      '[sensitive] is my word',
    ]);
  });

  it('goes on over a lost link', async () => {
    const record = new Lines();
    const live = await call(record);
    live.cut();
    await clock().runUntil(live.resume());
    await live.tool('echo', { times: 0 });
    await finish(live);
    expect(record.names).toHaveLength(1);
    expect(record.entries.filter(({ link }) => link).map(({ link }) => link)).toEqual(['lost', 'resumed']);
    expect(record.frames('server', 'session.start').map(({ resume }) => resume?.attempt)).toEqual([
      undefined,
      1,
    ]);
    expect(record.frames('agent', 'session.accept')).toHaveLength(2);
    expect(record.frames('agent', 'tool.result')).toHaveLength(1);
    expect(record.closed).toBe(1);
  });

  it('has what cannot be read by its size alone', async () => {
    const record = new Lines();
    const live = await call(record);
    live.sendRaw('my card is {');
    live.sendRaw('"my card"');
    await clock().settle();
    await finish(live);
    expect(record.frames('server', 'unreadable')).toEqual([
      { type: 'unreadable', bytes: 12 },
      { type: 'unreadable', bytes: 9 },
    ]);
  });

  it('survives a frame that nests deeper than anything is read, and has it by its size', async () => {
    const record = new Lines();
    const live = await call(record);
    const frame = `{"type":"user.text","value":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    live.sendRaw(frame);
    await clock().settle();
    expect((await live.tool('echo', { times: 0 })).status).toBe('ok');
    await finish(live);
    expect(record.frames('server', 'unreadable')).toEqual([{ type: 'unreadable', bytes: frame.length }]);
  });

  it('takes no longer for words that are nothing but digits', async () => {
    const record = new Lines();
    const live = await call(record);
    live.sendRaw(JSON.stringify({ type: 'user.text', epoch: 1, text: '1 2'.repeat(100_000) }));
    await clock().settle();
    await finish(live);
    expect(record.frames('server', 'user.text').map(({ text }) => text)).toEqual(['[digits]']);
  });

  it('is cut at its limit, and the call goes on', async () => {
    const record = new Lines();
    const log: string[] = [];
    const live = await call(record, log);
    echo = 'x'.repeat(60_000);
    const size = () => record.lines.join('').length;
    while (size() < MAX_RECORDED_CHARACTERS - 200_000) {
      for (let index = 0; index < 4; index += 1) await live.tool('echo', { times: 1 });
    }
    for (let index = 0; index < 8; index += 1) await live.tool('echo', { times: 1 });
    expect(size()).toBeLessThanOrEqual(MAX_RECORDED_CHARACTERS + 100);
    expect(record.entries.at(-1)).toEqual({ atMs: 0, cut: 'the recording is too long' });
    expect(record.closed).toBe(1);
    expect(log.filter((message) => message.includes('recording'))).toEqual(['a recording was cut']);
    expect((await live.tool('echo', { times: 0 })).status).toBe('ok');
    await finish(live);
    expect(record.closed).toBe(1);
  });

  it.each(['open', 'write', 'close'])('that fails at %s is logged, and the call goes on', async (step) => {
    const fail = (at: string) => () => {
      if (at === step) throw new Error('secret');
    };
    const log: string[] = [];
    const live = await call(
      {
        open() {
          fail('open')();
          return { write: fail('write'), close: fail('close') };
        },
      },
      log,
    );
    expect((await live.tool('echo', { times: 0 })).status).toBe('ok');
    await finish(live);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/record/);
  });

  it('that fails behind a promise ends like one that throws', async () => {
    const log: string[] = [];
    const write = (): Promise<void> => Promise.reject(new Error('secret'));
    const live = await call({ open: () => ({ write, close: () => undefined }) }, log);
    expect((await live.tool('echo', { times: 0 })).status).toBe('ok');
    await finish(live);
    expect(log).toEqual(['a call could not be recorded any further']);
  });

  it('is not made of a call that was not accepted', async () => {
    const record = new Lines();
    declines = true;
    await expect(call(record)).rejects.toMatchObject({ code: 'busy' });
    declines = false;
    await clock().runUntil(application.close());
    expect(record.names).toEqual([]);
  });
});

describe('the directory of recordings', () => {
  const directory = mkdtempSync(join(tmpdir(), 'callwright-recordings-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('gets a file per call that nobody else can read', async () => {
    const place = join(directory, 'deep', 'down');
    const live = await call({ directory: place });
    await finish(live);
    const [name = ''] = readdirSync(place);
    expect(name).toMatch(/^20260101T000000000Z-[\w-]+\.jsonl$/);
    // The disk knows nothing of the virtual clock.
    while (!readFileSync(join(place, name), 'utf8').includes('"end"')) await clock().settle();
    expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
    const lines = readFileSync(join(place, name), 'utf8').trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ recording: 1 });
  });

  it('is checked at boot', async () => {
    writeFileSync(join(directory, 'file'), '');
    const wrong = [{ directory: join(directory, 'file', 'x') }, { directory: '' }, { directry: 'x' }, 5];
    for (const record of wrong) {
      const made = createApplication(CashierModule, { record: record as never });
      await expect(made).rejects.toThrow(/recorded in|option record/);
    }
    await expect(
      createApplication(CashierModule, { record: { directory, keep: 5 } as never }),
    ).rejects.toThrow('record.keep');
  });
});
