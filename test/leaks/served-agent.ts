import {
  Arg,
  Call,
  Injectable,
  Module,
  OnEvent,
  Scope,
  Tool,
  ToolContext,
  UserText,
  VoiceAgent,
} from 'callwright';

/** Instances of calls, held weakly: what is left of them after a collection is a leak. */
export const instances: WeakRef<object>[] = [];

@Injectable({ scope: Scope.CALL })
class Notes {
  /** Enough that a leak of a thousand calls cannot hide. */
  readonly page = Buffer.alloc(256);
  readonly texts: string[] = [];

  constructor() {
    instances.push(new WeakRef(this));
  }
}

/** An agent whose tools and handlers touch what could leak: signals, listeners, timers, closures over the call. */
@VoiceAgent({ name: 'served', default: true, resume: true })
class ServedAgent {
  constructor(
    private readonly call: Call,
    private readonly notes: Notes,
  ) {
    instances.push(new WeakRef(this), new WeakRef(call));
  }

  @Tool('Looks something up, in five steps that can each be stopped.')
  async look(@Arg('key') key: string, tool: ToolContext): Promise<string> {
    for (let step = 0; step < 5; step += 1) await stoppable(tool.signal);
    return `value of ${key}`;
  }

  @Tool({ description: 'Books.', kind: 'side_effect' })
  book(@Arg('key') key: string, tool: ToolContext): string {
    return `${key} booked as ${tool.wireKey}`;
  }

  @OnEvent(UserText)
  heard(event: UserText): void {
    this.notes.texts.push(event.text);
    void this.call.say('I heard you.', { wait: false });
  }
}

function stoppable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    queueMicrotask(resolve);
  });
}

@Module({ providers: [Notes], agents: [ServedAgent] })
export class ServedModule {}
