import { inspect } from 'node:util';
import { type Application, createApplication } from '@callwright/gateway';
import {
  type Accept,
  Arg,
  Call,
  type CallEnd,
  CallResumed,
  type CallStart,
  CanActivate,
  Injectable,
  type LogEntry,
  Logger,
  Module,
  OnEvent,
  Scope,
  Tool,
  ToolContext,
  UseGuards,
  UserText,
  VoiceAgent,
} from 'callwright';
import { VoiceServerClient } from '../../packages/gateway/src/voice-server.test-support';

/** What a caller or an operator would not like to read in a log. No other text here holds one of them by chance. */
const canaries = {
  callerNumber: '+391234500017',
  calledNumber: '+391234500029',
  carrierCall: 'CAcanary0001',
  token: 'canary-token-4711',
  words: 'canary words of the caller',
  argument: 'canary argument',
  prompt: 'canary prompt of this call',
  greeting: 'canary greeting',
  result: 'canary result',
  say: 'canary line of the bot',
  databaseError: 'duplicate key (phone)=(+391234500017) canary-row',
};
const { callerNumber } = canaries;

/** As a database driver throws it: with the row in its message, in fields of its own, and in what caused it. */
class DatabaseError extends Error {
  readonly detail = canaries.databaseError;
  readonly query = `select ${canaries.argument}`;

  constructor() {
    super(canaries.databaseError, { cause: new Error(canaries.databaseError) });
    this.name = `DatabaseError ${callerNumber}`;
  }
}

/** What user code could print by accident. */
const printed: string[] = [];

function print(...values: readonly unknown[]): void {
  for (const value of values) {
    printed.push(
      inspect(value, { depth: 12, showHidden: true, getters: false }),
      String(JSON.stringify(value)),
      String(value),
    );
  }
}

const isNoSecret = (error: unknown): void =>
  print(error instanceof Error ? `${error.message}\n${error.stack}` : error);

@Injectable()
class SuspiciousGuard implements CanActivate {
  canActivate(): boolean {
    throw new DatabaseError();
  }
}

@Injectable({ scope: Scope.CALL })
class Record {
  [Symbol.dispose](): void {
    throw new DatabaseError();
  }
}

@VoiceAgent({ name: 'discreet', default: true, resume: true })
class DiscreetAgent {
  constructor(
    private readonly call: Call,
    private readonly logger: Logger,
    readonly record: Record,
  ) {}

  onCallStart(start: CallStart): Accept {
    print(start, start.caller, this.call, this.logger);
    if (start.sessionId === 'failing') throw new DatabaseError();
    return { systemPrompt: canaries.prompt, greeting: canaries.greeting };
  }

  @Tool('Returns what it is given, when it does not fail.')
  async look(@Arg('name') name: string, tool: ToolContext): Promise<string> {
    print(tool, this.call, this.call.caller);
    if (name.startsWith('fail')) throw new DatabaseError();
    if (name.startsWith('reject'))
      await Promise.reject(new AggregateError([new DatabaseError()], canaries.words));
    if (name.startsWith('text')) throw canaries.databaseError;
    if (name.startsWith('large')) return canaries.result.repeat(6_000);
    return canaries.result;
  }

  @Tool({ description: 'Books.', kind: 'side_effect' })
  book(@Arg('name', { maxLength: 40 }) name: string): string {
    return `${canaries.result} ${name}`;
  }

  @Tool('Nobody may.')
  @UseGuards(SuspiciousGuard)
  forbidden(): string {
    return canaries.result;
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    this.logger.info('a user logs an exception', { error: new DatabaseError() });
    this.logger.error('a user logs a call', { call: this.call, caller: this.call.caller });
    await this.call.say(`${canaries.say}${'x'.repeat(5_000)}`).catch(isNoSecret);
    void this.call.say(`${canaries.say}${'y'.repeat(5_000)}`, { wait: false });
    await this.call.updateContext({ systemPrompt: canaries.prompt.repeat(4_000) }).catch(isNoSecret);
    await this.call.say(canaries.say).catch(isNoSecret);
    throw Object.assign(new DatabaseError(), { event });
  }

  @OnEvent(CallResumed)
  resumed(): void {
    throw new DatabaseError();
  }

  onCallEnd(end: CallEnd): void {
    print(end, this.call);
    throw new DatabaseError();
  }
}

@Module({ agents: [DiscreetAgent], providers: [Record, SuspiciousGuard] })
class DiscreetModule {}

const log: LogEntry[] = [];
let application: Application;
const call = {
  carrier: 'twilio',
  carrier_call_id: canaries.carrierCall,
  from: callerNumber,
  to: canaries.calledNumber,
};
const headers = { authorization: `Bearer ${canaries.token}` };
const isAccept = ({ type }: Readonly<{ type?: unknown }>): boolean => type === 'session.accept';

async function untilIdle(): Promise<void> {
  while (application.callCount > 0) await new Promise((resolve) => setImmediate(resolve));
}

/** One call with everything that can go wrong and be logged. */
async function wholeCall(): Promise<void> {
  const { url } = application;
  const refused = await VoiceServerClient.connect(url, { authorization: `Bearer ${canaries.token}x` }).catch(
    isNoSecret,
  );
  expect(refused).toBeUndefined();
  const failing = await VoiceServerClient.connect(url, headers);
  failing.start({ session_id: 'failing', call: { ...call, carrier_call_id: `${canaries.carrierCall}b` } });
  await failing.whenClosed;

  const client = await VoiceServerClient.connect(url, headers);
  client.start({ call });
  await client.next(isAccept);
  let id = 0;
  for (const name of ['fail', 'reject', 'text', 'large', 'ok']) {
    client.toolCall(++id, 'look', { name: `${name} ${canaries.argument} ${callerNumber}` });
  }
  client.toolCall(++id, 'look', { [canaries.argument]: canaries.argument });
  client.toolCall(++id, 'nope', { name: canaries.argument });
  client.toolCall(++id, 'look', { name: canaries.argument }, { arguments: canaries.argument });
  const booking = { kind: 'side_effect', idempotency_key: '00000000000000aa' };
  client.toolCall(++id, 'book', { name: canaries.argument }, booking);
  client.toolCall(++id, 'book', { name: `other ${canaries.argument}` }, booking);
  client.toolCall(++id, 'book', { name: canaries.argument.repeat(5) }, { kind: 'side_effect' });
  client.toolCall(++id, 'forbidden', {});
  for (let answered = 1; answered <= id; answered += 1) await client.result(answered);
  client.send({ type: 'error', stage: 'stt', message: canaries.words, fatal: false });
  client.send({ type: 'user.transcript', text: canaries.words, final: 'no' });
  client.send({ type: canaries.words });
  client.socket.send(`{"type":"user.text","text":"${canaries.words}`);
  client.send({ type: 'user.text', epoch: 1, text: canaries.words });
  const said = await client.next(({ type }) => type === 'say');
  client.send({
    type: 'command.result',
    id: said.id,
    ok: false,
    error: { code: 'queue_full', message: 'try again' },
  });
  client.socket.terminate();
  await client.whenClosed;
  const again = await client.redial(url, { call, agent: 'any' }, 1, headers);
  await again.next(({ type }) => type === 'session.accept' || type === 'session.reject');
  again.send({ type: 'session.end', reason: 'call_ended' });
  await untilIdle();
}

beforeAll(async () => {
  application = await createApplication(DiscreetModule, {
    port: 0,
    token: canaries.token,
    log: { level: 'trace', errorDetail: 'safe', sink: { write: (entry) => log.push(entry) } },
  });
  await application.listen();
  await wholeCall();
  print(application, application.manifest(), application.graph(), application.logger);
  await application.close();
});

describe('nothing of the caller and no secret', () => {
  const names = Object.keys(canaries) as (keyof typeof canaries)[];

  it('though something was logged of all that went wrong', () => {
    const messages = log.map(({ message }) => message);
    for (const part of [
      'start hook failed',
      'tool failed',
      'too large',
      'handler',
      'unreadable',
      'parked',
      'resumed',
      'unknown tool',
    ]) {
      expect(messages.filter((message) => message.includes(part))).not.toEqual([]);
    }
  });

  it.each(names)('%s is in no line of the log', (name) => {
    const lines = log.map((entry) => JSON.stringify(entry) + inspect(entry, { depth: 12 }));
    expect(lines.filter((line) => line.includes(canaries[name]))).toEqual([]);
  });

  it.each(names)('%s is in nothing that user code prints of a call, its context, and errors', (name) => {
    expect(printed.filter((text) => text.includes(canaries[name]))).toEqual([]);
  });
});
