import { mutated } from '../fuzz/frames';
import type { Random } from '../fuzz/random';

type Message = Readonly<Record<string, unknown>>;

/** What a voice server does to an agent, in order. */
export type Step =
  | { readonly send: string }
  | { readonly binary: number }
  /** The link is reset and the server comes back. */
  | { readonly resume: { readonly seq: number; readonly previousSeq: number } };

/** The same steps for both agents, and what is known of them beforehand. */
export interface Sequence {
  readonly number: number;
  readonly first: string;
  readonly steps: readonly Step[];
  /** Which written differences the steps may lead to, by the id of a tool call, or for the whole sequence. */
  readonly expected: ReadonlyMap<number, string>;
  readonly expectedOfAll: ReadonlySet<string>;
  /** The last number used. */
  readonly lastSeq: number;
}

const sideEffects: ReadonlySet<string> = new Set(['book', 'slow_book', 'pay', 'press']);
const texts = ['hello', 'a table, please', 'bye', '', ' ', 'Grüße 😀', 'x'.repeat(300)];
const longWaitMs = 60_000;

/** Makes one sequence; the same for the same random numbers. */
export function sequenceOf(random: Random, number: number): Sequence {
  return new SequenceWriter(random, number).write();
}

class SequenceWriter {
  readonly #random: Random;
  readonly #number: number;
  readonly #steps: Step[] = [];
  readonly #expected = new Map<number, string>();
  readonly #expectedOfAll = new Set<string>();
  readonly #calls: Message[] = [];
  #seq = 1;
  #saidBye = false;
  /** What was asked for before the link was lost. */
  readonly #beforeLoss = new Set<string>();
  #id = 0;

  constructor(random: Random, number: number) {
    this.#random = random;
    this.#number = number;
  }

  write(): Sequence {
    const random = this.#random;
    const first = this.#first();
    for (let count = 3 + random.below(12); count > 0; count -= 1) this.#step();
    return {
      number: this.#number,
      first,
      steps: this.#steps,
      expected: this.#expected,
      expectedOfAll: this.#expectedOfAll,
      lastSeq: this.#seq,
    };
  }

  #first(): string {
    const random = this.#random;
    const start: Record<string, unknown> = {
      type: 'session.start',
      seq: 1,
      t_ms: 0,
      protocol: 'brisvox.agent',
      versions: [1],
      session_id: `s${this.#number}`,
      agent: 'conformance',
      capabilities: { transfer: true, tools: true },
    };
    if (random.chance(0.85)) return JSON.stringify(start);
    const odd: readonly Message[] = [
      { versions: [2] },
      { versions: [] },
      { versions: [3, 1, 2] },
      { versions: ['1'] },
      { protocol: 'other' },
      { protocol: 7 },
      { type: 'hello' },
      { seq: undefined },
      { t_ms: 'x' },
      { agent: 'reject-me' },
      { agent: undefined },
      { capabilities: {} },
      { capabilities: undefined },
      { call: { carrier: 'sip', carrier_call_id: `c${this.#number}`, from: '+391', to: '+392' } },
      { call: { carrier: 'sip' } },
      { call: 'sip' },
      { resume: { attempt: 1, previous_seq: 3, down_ms: 100 }, seq: 4 },
      { resume: { attempt: 1 } },
      { resume: 7 },
      { more: 'unknown fields' },
    ];
    if (random.chance(0.1)) return '{"type":"session.start"';
    const changed = random.pick(odd);
    if ('seq' in changed || 't_ms' in changed) this.#expectedOfAll.add('start without numbers');
    return JSON.stringify({ ...start, ...changed });
  }

  #step(): void {
    const random = this.#random;
    const kind = random.below(20);
    if (kind < 7) this.#goodCall();
    else if (kind < 9) this.#repeat();
    else if (kind < 11) this.#badArguments();
    else if (kind === 11) this.#unknownTool();
    else if (kind === 12) this.#cancel();
    else if (kind < 16) this.#event();
    else if (kind === 16) this.#unreadable();
    else if (kind === 17) this.#steps.push({ binary: random.below(40) });
    else if (kind === 18)
      this.#send({ type: random.pick(['new.type', 'tool.other', '', 'session.accept']), value: 1 });
    else if (random.chance(0.5)) this.#resume();
    else this.#odd();
  }

  #resume(): void {
    // A server that has read an `end` does not come back.
    if (this.#saidBye) return;
    for (const call of this.#calls) this.#beforeLoss.add(wishOf(call));
    const previousSeq = this.#seq;
    this.#seq += 1;
    this.#steps.push({ resume: { seq: this.#seq, previousSeq } });
  }

  #goodCall(): void {
    const random = this.#random;
    const [name, args] = random.pick<readonly [string, Message]>([
      ['lookup', { key: random.pick(texts) }],
      ['lookup', { key: 'k' }],
      ['book', { name: random.pick(['Ada', 'Grace', '', 'é']) }],
      ['book', { name: `guest ${this.#id}` }],
      ['pay', { amount: 12.5 }],
      ['press', { digit: '1' }],
      ['fail', { message: random.pick(['no table left', 'ü', 'x'.repeat(900)]) }],
      ['crash', {}],
      ['big', { bytes: random.pick([1, 60_000, 65_536]) }],
      ['slow_lookup', { ms: 5 }],
      ['slow_book', { name: 'Ada', ms: 5 }],
    ]);
    this.#call(name, args);
  }

  #call(name: string, args: unknown, more: Message = {}): Message {
    this.#id += 1;
    const message = {
      type: 'tool.call',
      id: this.#id,
      call_id: `t1.${this.#id}`,
      name,
      arguments: args,
      kind: sideEffects.has(name) ? 'side_effect' : 'read_only',
      epoch: 1,
      idempotency_key: this.#id.toString(16).padStart(16, '0'),
      timeout_ms: 5_000,
      ...more,
    };
    this.#send(message);
    this.#calls.push(message);
    if (sideEffects.has(name) && this.#beforeLoss.has(wishOf(message))) {
      this.#expected.set(this.#id, 'asked again after a loss');
      this.#expectedOfAll.add('counts');
    }
    // Whether a slow one counts before or behind its neighbours is a race.
    if (name === 'slow_book') this.#expectedOfAll.add('counts');
    return message;
  }

  /** The same frame again, or the same key under a new id. */
  #repeat(): void {
    const random = this.#random;
    if (this.#calls.length === 0) return;
    const earlier = random.pick(this.#calls);
    const id = Number(earlier.id);
    if (random.chance(0.5)) {
      this.#send(earlier);
      if (!this.#expected.has(id)) this.#expected.set(id, 'repeated frame');
    } else {
      this.#id += 1;
      this.#send({ ...earlier, id: this.#id });
      const known = this.#expected.get(id);
      if (known && known !== 'repeated frame') this.#expected.set(this.#id, known);
      if (earlier.kind !== 'side_effect') return;
      this.#expected.set(this.#id, 'same key');
      if (random.chance(0.3)) {
        this.#id += 1;
        this.#send({ ...earlier, id: this.#id, arguments: { name: 'somebody else', digit: '2', amount: 1 } });
        this.#expected.set(this.#id, 'same key');
      }
    }
    this.#expectedOfAll.add('counts');
  }

  #badArguments(): void {
    const random = this.#random;
    const [name, args] = random.pick<readonly [string, unknown]>([
      ['lookup', {}],
      ['lookup', { key: 7 }],
      ['lookup', { key: null }],
      ['lookup', { key: true }],
      ['lookup', { key: ['k'] }],
      ['lookup', { key: { k: 1 } }],
      ['big', { bytes: '5' }],
      ['big', { bytes: true }],
      ['big', { bytes: null }],
      ['big', { bytes: [] }],
      ['pay', { amount: 'much' }],
      ['pay', { amount: false }],
      ['slow_book', { name: 'Ada' }],
      ['slow_book', { ms: 5 }],
    ]);
    this.#call(name, args);
    if (random.chance(0.3)) {
      this.#call('lookup', { key: 'k', more: 1 });
      this.#expected.set(this.#id, 'unknown argument');
    }
    if (random.chance(0.2)) {
      this.#call('lookup', JSON.parse('{"key":"k","__proto__":{"x":1},"constructor":1}'));
      this.#expected.set(this.#id, 'unknown argument');
    }
  }

  #unknownTool(): void {
    this.#call(
      this.#random.pick(['nope', 'constructor', '__proto__', 'toString', 'Lookup', 'x'.repeat(64)]),
      {},
    );
  }

  #cancel(): void {
    const random = this.#random;
    const reason = random.pick(['interrupted', 'timeout', 'abandoned', 'a new reason']);
    if (random.chance(0.4)) {
      this.#send({ type: 'tool.cancel', id: 5_000 + random.below(100), reason });
      return;
    }
    const { id } = this.#call('slow_lookup', { ms: longWaitMs });
    this.#send({ type: 'tool.cancel', id, reason });
    if (random.chance(0.3)) this.#send({ type: 'tool.cancel', id, reason });
  }

  #event(): void {
    const random = this.#random;
    const epoch = 1;
    const event = random.pick<Message>([
      { type: 'user.text', epoch, text: random.pick(texts) },
      { type: 'user.text', epoch, text: 'more' },
      { type: 'user.transcript', text: 'a', final: false },
      { type: 'bot.text', epoch, text: 'b' },
      { type: 'turn.user_started', epoch },
      { type: 'turn.metrics', epoch, metrics: { response_ms: 12.5 } },
      { type: 'turn.metrics', epoch, metrics: 'none' },
      { type: 'bot.llm_stopped', epoch, usage: { input_tokens: 1 } },
      { type: 'events.lost', count: 3 },
      { type: 'error', stage: 'stt', message: 'm', fatal: false },
      { type: 'language.switched', from: 'en', to: 'it' },
      { type: 'command.result', id: 'unknown', ok: true },
      { type: 'command.result', id: 'unknown', ok: false, error: { code: 'rejected', message: 'm' } },
    ]);
    if (event.text === 'bye') this.#saidBye = true;
    this.#send(event);
  }

  /** What neither side may read, or one of them alone. */
  #unreadable(): void {
    const random = this.#random;
    if (random.chance(0.4)) {
      this.#steps.push({
        send: random.pick(['', '{', '[]', 'null', '"x"', '7', '{"type":7}', '{}', 'nothing']),
      });
      return;
    }
    const [message, difference] = random.pick<readonly [Message, string | undefined]>([
      [{ type: 'user.text', epoch: 'x', text: 'unread' }, undefined],
      [{ type: 'user.text', epoch: true, text: 'unread' }, undefined],
      [{ type: 'user.text', epoch: 1 }, undefined],
      [{ type: 'user.text', epoch: 1, text: null }, undefined],
      [{ type: 'user.text', epoch: 1.5, text: 'unread' }, undefined],
      [{ type: 'events.lost', count: 'many' }, undefined],
      [{ type: 'tool.cancel', id: 1 }, undefined],
      [{ type: 'user.text', epoch: 1, text: 'no number', seq: undefined }, 'missing number'],
      [{ type: 'user.text', epoch: 1, text: 'no time', t_ms: undefined }, 'missing number'],
    ]);
    this.#send(message);
    if (difference) this.#expectedOfAll.add(difference);
    if (!random.chance(0.3)) return;
    this.#call(
      'lookup',
      { key: 'k' },
      random.pick([{ arguments: 'none' }, { epoch: 'x' }, { kind: 'odd' }, { name: 7 }]),
    );
    this.#expected.set(this.#id, 'unreadable call');
  }

  #odd(): void {
    const random = this.#random;
    const choice = random.below(5);
    if (choice === 0) {
      this.#steps.push({ send: mutated(random, '{"type":"turn.user_started","seq":1,"t_ms":1,"epoch":1}') });
      this.#expectedOfAll.add('damaged');
    } else if (choice === 1) {
      this.#send({ type: 'user.text', epoch: 1, text: 'whole', t_ms: 50 });
      this.#steps.push({ send: `{"type":"user.text","seq":1.0,"t_ms":1.0,"epoch":1.0,"text":"floats"}` });
      this.#expectedOfAll.add('whole floats');
    } else if (choice === 2) {
      this.#call('lookup', { key: 'deep', more: 1 });
      this.#expected.set(this.#id, 'unknown argument');
      this.#steps.push({
        send: `{"type":"user.text","seq":1,"t_ms":1,"epoch":1,"text":"deep","more":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      });
      this.#expectedOfAll.add('deep JSON');
    } else if (choice === 3)
      this.#send({
        type: 'session.start',
        protocol: 'brisvox.agent',
        versions: [1],
        session_id: 'again',
        agent: 'conformance',
        capabilities: {},
      });
    else
      this.#send({
        type: 'session.usage',
        duration_ms: 1,
        turns: 1,
        interrupted_turns: 0,
        latency: {},
        usage: {},
      });
  }

  #send(message: Message): void {
    this.#seq += 1;
    this.#steps.push({ send: JSON.stringify({ seq: this.#seq, t_ms: this.#seq, ...message }) });
  }
}

/** A tool and its arguments: what the model wants, under whatever id and key. */
function wishOf({ name, arguments: args }: Message): string {
  return JSON.stringify([name, args]);
}
