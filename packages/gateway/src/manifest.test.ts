import {
  APP_GUARD,
  Arg,
  Interval,
  OnEvent,
  TimingInterceptor,
  Tool,
  TrimPipe,
  UseInterceptors,
  UsePipes,
  UserText,
  VoiceAgent,
} from '@callwright/core';
import { Injectable, Module, Scope } from '@callwright/di';
import { createApplication } from './assembly';
import { LogRecorder } from './connected.test-support';

@Injectable()
class OpenGuard {
  canActivate(): boolean {
    return true;
  }
}

@Injectable({ scope: Scope.CALL })
class Basket {}

@VoiceAgent({ name: 'luigi', systemPrompt: 'A secret recipe.', greeting: 'Hello!', default: true })
@UseInterceptors(new TimingInterceptor())
class LuigiAgent {
  constructor(readonly basket: Basket) {}

  @Tool({ description: 'Books a table.', kind: 'side_effect', confirm: true, timeoutMs: 8_000 })
  @UsePipes(TrimPipe)
  bookTable(@Arg('name') name: string): string {
    return name;
  }

  @OnEvent(UserText)
  heard(_event: UserText): void {}

  onCallEnd(): void {}

  @Interval(60_000)
  tick(): void {}
}

@Module({ agents: [LuigiAgent], providers: [Basket, { provide: APP_GUARD, useClass: OpenGuard }] })
class AppModule {}

const make = () =>
  createApplication(AppModule, { port: 0, maxCalls: 7, log: { sink: new LogRecorder().sink } });

describe('the manifest', () => {
  it('says what the application promises, as JSON, and nothing that its agents say', async () => {
    const application = await make();
    const manifest = JSON.parse(JSON.stringify(application.manifest()));
    const bound = { guards: ['OpenGuard'], interceptors: ['TimingInterceptor'], pipes: [], filters: [] };
    const quiet = { ...bound, guards: [] };
    expect(manifest).toMatchObject({
      manifestVersion: 1,
      limits: { maxCalls: 7, ofEachCall: { toolsRunningAtOnce: 64, waitingEvents: 1_024 } },
      agents: [
        {
          name: 'luigi',
          class: 'LuigiAgent',
          module: 'AppModule',
          default: true,
          events: ['user.text'],
          accept: { bytes: expect.any(Number), limitBytes: 65_536 },
          tools: [
            {
              name: 'bookTable',
              method: 'LuigiAgent.bookTable',
              kind: 'side_effect',
              confirm: true,
              repeatable: false,
              timeoutMs: 8_000,
              fillerAfterMs: null,
              parameters: { type: 'object', required: ['name'] },
              ...bound,
              pipes: ['TrimPipe'],
            },
          ],
          handlers: [{ method: 'LuigiAgent.heard', events: ['user.text'], ...bound }],
          hooks: [{ method: 'LuigiAgent.onCallEnd', hook: 'onCallEnd', ...quiet }],
          timers: [{ method: 'LuigiAgent.tick', repeats: true, delayMs: 60_000, ...quiet }],
        },
      ],
    });
    expect(JSON.stringify(manifest)).not.toContain('secret recipe');
    await application.close();
  });
});

describe('the graph', () => {
  it('is the modules as data, or as a flowchart', async () => {
    const application = await make();
    const names = application.graph().modules.map(({ name }) => name);
    expect(names).toContain('AppModule');
    const chart = application.graph('mermaid');
    expect(chart).toMatch(/^flowchart LR\n/);
    expect(chart).toContain('"LuigiAgent"');
    await application.close();
  });
});
