import {
  type Accept,
  Arg,
  Call,
  type CallEnd,
  type CallEvent,
  type CallStart,
  type CanActivate,
  DeclineCall,
  type ExecutionContext,
  Interval,
  OnEvent,
  Tool,
  ToolContext,
  ToolError,
  UseGuards,
  VoiceAgent,
} from '@callwright/core';
import { type DynamicModule, Injectable, Module, Scope } from '@callwright/di';
import type { ToolArguments } from './history';
import { never, Stage } from './stage';
import { readEvent, type SimulatedEvent } from './tagged-event';

/** What a start hook does, chosen by the last part of the carrier's name of the call. */
export const START_MANNERS = [
  'quick',
  'slow',
  'say',
  'few tools',
  'few events',
  'throw',
  'decline',
  'late',
  'hang',
] as const;

export type StartManner = (typeof START_MANNERS)[number];

/** The events that a call with few events subscribes to. */
export const FEW_EVENTS = ['user.text', 'turn.interrupted'] as const;
/** The tools that a call with few tools offers. */
export const FEW_TOOLS = ['look', 'book'] as const;

/** How long the guard of `pay` takes where it does not decide at once. */
export const GUARD_MS = 30;

/** Lets everything pass, some of it after a moment: what comes meanwhile comes before the method began. */
@Injectable()
export class PatientGuard implements CanActivate {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.kind === 'tool' && context.args.how === 'wait') await this.#stage.sleep(GUARD_MS);
    return true;
  }
}

/** A provider of each call with a tool, a hook and a teardown of its own. */
@Injectable({ scope: Scope.CALL })
export class Companion {
  readonly #stage: Stage;
  readonly #instance: number;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#instance = stage.next();
    stage.history.add({ kind: 'built', instance: this.#instance, role: 'companion' });
  }

  async onCallEnd(): Promise<void> {
    if (this.#instance % 17 === 0) await never();
    if (this.#instance % 11 === 0) throw new Error('the companion fails at the end');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stage.history.add({ kind: 'disposed', instance: this.#instance, role: 'companion' });
    if (this.#instance % 19 === 0) await never();
    if (this.#instance % 13 === 0) throw new Error('the companion cannot close');
  }

  @Tool('Peeks.')
  peek(@Arg('tag') tag: string, @Arg('how') how: string, @Arg('ms') ms: number, @Arg('what') what: string) {
    if (how === 'throw') throw new Error('peek fails');
    return { tag, how, ms, what };
  }
}

/** What every simulated agent does: it obeys what the frames tell it to do, and notes everything. */
abstract class SimulatedAgent {
  readonly stage: Stage;
  readonly call: Call;
  readonly instance: number;
  readonly #running = new Set<number>();

  constructor(stage: Stage, call: Call) {
    this.stage = stage;
    this.call = call;
    this.instance = stage.next();
    stage.history.add({ kind: 'built', instance: this.instance, role: 'agent' });
  }

  async onCallStart(start: CallStart): Promise<Accept> {
    const manner = start.caller?.carrierCallId.split('|')[1] ?? 'quick';
    const accept = { greeting: `i${this.instance}` };
    switch (manner) {
      case 'slow':
        await this.stage.sleep(700);
        return accept;
      case 'say':
        void this.#command('say', this.call.say(`i${this.instance} early`, { wait: false }));
        return accept;
      case 'few tools':
        return { ...accept, tools: [...FEW_TOOLS] };
      case 'few events':
        return { ...accept, events: [...FEW_EVENTS] };
      case 'throw':
        throw new Error('the start fails');
      case 'decline':
        throw new DeclineCall('busy', 'not now');
      case 'late':
        await this.stage.sleep(1_600);
        return accept;
      case 'hang':
        return never();
      default:
        return accept;
    }
  }

  @OnEvent('turn.*')
  @OnEvent('user.*')
  @OnEvent('bot.*')
  @OnEvent('language.*')
  @OnEvent('session.usage')
  @OnEvent('session.resumed')
  @OnEvent('events.*')
  @OnEvent('error')
  async heard(event: CallEvent): Promise<void> {
    const read = readEvent(event);
    this.stage.history.add({
      kind: 'heard',
      instance: this.instance,
      type: event.type,
      tag: read.tag,
      ordinal: read.ordinal,
      state: this.call.state,
    });
    await this.#busy(() => this.#react(read));
  }

  @Interval(25_000)
  tick(): void {
    this.stage.history.add({ kind: 'ticked', instance: this.instance });
    if (this.instance % 4 === 0) throw new Error('a timer fails');
  }

  async onCallParked(): Promise<void> {
    await this.#busy(async () => {
      if (this.instance % 7 === 0) await this.stage.sleep(300);
      if (this.instance % 9 === 0) throw new Error('the parking fails');
    });
  }

  async onCallResumed(): Promise<void> {
    await this.#busy(async () => {
      if (this.instance % 5 === 0) await this.#command('say', this.call.say(`i${this.instance} back`));
    });
  }

  async onCallEnd(end: CallEnd): Promise<void> {
    this.stage.history.add({ kind: 'end began', instance: this.instance, reason: end.reason });
    await this.#busy(async () => {
      if (this.instance % 6 === 0) await this.stage.sleep(1_000);
      if (this.instance % 10 === 0)
        await this.#command('say', this.call.say(`i${this.instance} too late`)).catch(() => undefined);
      if (this.instance % 15 === 0) await never();
      if (this.instance % 8 === 0) throw new Error('the end fails');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stage.history.add({ kind: 'disposed', instance: this.instance, role: 'agent' });
    if (this.instance % 14 === 0) await this.stage.sleep(500);
    if (this.instance % 21 === 0) throw new Error('the agent cannot close');
  }

  @Tool('Looks something up.')
  look(
    @Arg('tag') tag: string,
    @Arg('how') how: string,
    @Arg('ms') ms: number,
    @Arg('what') what: string,
    context: ToolContext,
  ) {
    return this.#use(context, { tag, how, ms, what });
  }

  @Tool({ description: 'Books something.', kind: 'side_effect' })
  book(
    @Arg('tag') tag: string,
    @Arg('how') how: string,
    @Arg('ms') ms: number,
    @Arg('what') what: string,
    context: ToolContext,
  ) {
    return this.#use(context, { tag, how, ms, what });
  }

  @Tool({ description: 'Rings a bell.', kind: 'side_effect', repeatable: true })
  ring(
    @Arg('tag') tag: string,
    @Arg('how') how: string,
    @Arg('ms') ms: number,
    @Arg('what') what: string,
    context: ToolContext,
  ) {
    return this.#use(context, { tag, how, ms, what });
  }

  @Tool({
    description: 'Pays something.',
    kind: 'side_effect',
    reconcile: (args) => (args.what === 'w0' ? { paid: args.what, tag: args.tag } : undefined),
  })
  @UseGuards(PatientGuard)
  pay(
    @Arg('tag') tag: string,
    @Arg('how') how: string,
    @Arg('ms') ms: number,
    @Arg('what') what: string,
    context: ToolContext,
  ) {
    return this.#use(context, { tag, how, ms, what });
  }

  /** Runs as the arguments say; the answer names the instance and the call it believes to serve. */
  #use(context: ToolContext, args: ToolArguments): unknown {
    const run = this.stage.began(this.instance, context, args);
    const settled = (): void =>
      this.stage.history.add({ kind: 'tool settled', instance: this.instance, run });
    const answer = { i: this.instance, tag: args.tag, what: args.what };
    switch (args.how) {
      case 'at once':
        settled();
        return answer;
      case 'throw':
        settled();
        throw new Error('a tool fails');
      case 'no json':
        settled();
        return { ...answer, big: 1n };
      case 'large':
        settled();
        return { ...answer, text: 'é'.repeat(33_000) };
      case 'hang':
        return never();
      default:
        return this.#useSlowly(context, args).then(
          (text) => {
            settled();
            return { ...answer, text };
          },
          (error) => {
            settled();
            throw error;
          },
        );
    }
  }

  async #useSlowly(context: ToolContext, args: ToolArguments): Promise<string> {
    switch (args.how) {
      case 'say':
        await this.#command(
          'say',
          this.call.say(`i${this.instance} ${args.tag} one moment`, { interrupt: true }),
        );
        return 'said';
      case 'refuse':
        await this.stage.sleep(args.ms);
        throw new ToolError(`i${this.instance} ${args.tag} is full`);
      case 'heed':
        await new Promise<void>((resolve, reject) => {
          const { signal } = context;
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          this.stage.clock.setTimer(resolve, args.ms);
        });
        return 'heeded';
      default:
        await this.stage.sleep(args.ms);
        return 'waited';
    }
  }

  /** What the event asks for. */
  async #react({ how, ms, ordinal }: SimulatedEvent): Promise<void> {
    const { call, instance } = this;
    switch (how) {
      case 'wait':
        return this.stage.sleep(ms);
      case 'throw':
        throw new Error('a handler fails');
      case 'hang':
        return never();
      case 'say':
        return this.#command('say', call.say(`i${instance} heard ${ordinal}`));
      case 'speak on':
        void this.#command('say', call.say(`i${instance} heard ${ordinal}`, { wait: false }));
        return;
      case 'chatter': {
        const line = `i${instance} ${'chatter '.repeat(500)}`;
        for (let count = 0; count < 300; count += 1) {
          this.#command('say', call.say(line)).catch(() => undefined);
        }
        return;
      }
      case 'too long':
        return this.#command('say', call.say(`i${instance} ${'é'.repeat(3_000)}`));
      case 'context':
        return this.#command(
          'updateContext',
          call.updateContext({ append: [{ role: 'system', text: `i${instance} knows ${ordinal}` }] }),
        );
      case 'fewer tools':
        return this.#command(
          'setTools',
          call.setTools(ms % 2 === 0 ? ['look', 'book'] : ['look', 'pay', 'peek']),
        );
      case 'all tools':
        return this.#command('setTools', call.setTools('all'));
      case 'transfer':
        if (call.can('transfer')) {
          return this.#command('transfer', call.transfer('+390612345678', { summary: `i${instance}` }));
        }
        return;
      case 'end':
        return this.#command('end', call.end({ say: `i${instance} goodbye`, reason: `i${instance}` }));
    }
  }

  #command(command: string, promise: Promise<void>): Promise<void> {
    return this.stage.watch(this.instance, command, promise);
  }

  async #busy(work: () => Promise<void>): Promise<void> {
    const token = this.stage.next();
    this.stage.history.add({ kind: 'handler began', instance: this.instance, token });
    this.#running.add(token);
    try {
      await work();
    } finally {
      this.#running.delete(token);
      this.stage.history.add({ kind: 'handler ended', instance: this.instance, token });
    }
  }
}

@VoiceAgent({ name: 'keeper', default: true, resume: true, toolSets: [Companion], events: 'all' })
export class KeeperAgent extends SimulatedAgent {
  constructor(stage: Stage, call: Call, _companion: Companion) {
    super(stage, call);
  }
}

@VoiceAgent({ name: 'plain', toolSets: [Companion], events: 'all' })
export class PlainAgent extends SimulatedAgent {
  constructor(stage: Stage, call: Call, _companion: Companion) {
    super(stage, call);
  }
}

@Module({})
class SimulatedModule {}

/** The application of one world. */
export function simulatedModule(stage: Stage): DynamicModule {
  return {
    module: SimulatedModule,
    providers: [{ provide: Stage, useValue: stage }, Companion],
    agents: [KeeperAgent, PlainAgent],
  };
}
