import { setTimeout as wait } from 'node:timers/promises';
import {
  Arg,
  bootstrap,
  Call,
  type CallEnd,
  type CallResumed,
  Logger,
  Module,
  type OnCallEnd,
  type OnCallParked,
  type OnCallResumed,
  Tool,
  VoiceAgent,
} from 'callwright';

/** A call survives a lost link: the same instance goes on, and what it was doing is not done twice. */
@VoiceAgent({ name: 'taxi', systemPrompt: 'You order taxis.', greeting: 'Taxi, good evening!', resume: true })
export class TaxiAgent implements OnCallParked, OnCallResumed, OnCallEnd {
  /** Lives as long as the call, over every link. */
  readonly ordered: string[] = [];

  constructor(
    private readonly call: Call,
    private readonly log: Logger,
  ) {}

  @Tool({ description: 'Orders a taxi to an address.', kind: 'side_effect', timeoutMs: 10_000 })
  async orderTaxi(@Arg('address', { maxLength: 200 }) address: string): Promise<string> {
    await wait(200); // the taxi company answers
    this.ordered.push(address);
    return `taxi ${this.ordered.length} is on its way`;
  }

  onCallParked(): void {
    this.log.info('the link is lost, the call waits');
  }

  onCallResumed(event: CallResumed): void {
    this.log.info('the link is back', { downMs: event.downMs, resumeCount: this.call.resumeCount });
  }

  onCallEnd(end: CallEnd): void {
    this.log.info('the call has ended', { reason: end.reason, orders: this.ordered.length });
  }
}

@Module({ agents: [TaxiAgent] })
export class TaxiModule {}

if (require.main === module) void bootstrap(TaxiModule);
