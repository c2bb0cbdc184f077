import 'callwright';
import { bootstrap, type CallEnd, Injectable, Module, OnEvent, UserText, VoiceAgent } from 'callwright';

function fail(): never {
  throw new Error('nobody handles this');
}

/** A program as a user writes it; the tests of `bootstrap` run it in a process of its own and look at how that ends. */
@VoiceAgent({ name: 'program' })
class ProgramAgent {
  @OnEvent(UserText)
  heard(event: UserText): void {
    if (event.text === 'reject') void Promise.reject(new Error('nobody handles this'));
    if (event.text === 'throw') setImmediate(() => fail());
    if (event.text === 'keep alive') setInterval(() => undefined, 1_000);
  }

  onCallEnd(end: CallEnd): Promise<void> | undefined {
    console.log(`ended: ${end.reason}`);
    return process.env.STUCK === '1' ? new Promise(() => undefined) : undefined;
  }
}

@Injectable()
class Pool {
  onModuleDestroy(): Promise<void> | undefined {
    return process.env.BOOT === 'fails' ? new Promise(() => undefined) : undefined;
  }
}

@Injectable()
class Database {
  constructor(readonly pool: Pool) {}
  onModuleInit(): void {
    if (process.env.BOOT === 'fails') throw new RangeError('no such database');
  }
}

@Module({ agents: [ProgramAgent], providers: [Pool, Database] })
class AppModule {}

const { DRAIN_MS, KEEP_ALIVE } = process.env;
if (KEEP_ALIVE === '1') setInterval(() => undefined, 1_000);

void bootstrap(AppModule, { drainMs: DRAIN_MS === undefined ? undefined : Number(DRAIN_MS) }).then(
  (application) => {
    console.log(application === undefined ? 'not started' : `started: ${application.url}`);
  },
);
