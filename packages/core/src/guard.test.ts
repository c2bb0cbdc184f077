import { Inject, Injectable, InjectionToken, Module, Scope } from '@callwright/di';
import { Call } from './call';
import { liveCall, sessionOf } from './call-session.test-support';
import { APP_GUARD, UseGuards } from './enhancers';
import { UserText } from './events';
import type { ExecutionContext, OfferContext } from './execution-context';
import { ToolError } from './failures';
import type { CanActivate } from './guard';
import { CallerIdentity } from './link';
import { OnEvent } from './on-event';
import { Reflector } from './reflector';
import { Tool } from './tool';
import { VoiceAgent } from './voice-agent';

@Injectable({ scope: Scope.CALL })
class KnownCaller implements CanActivate {
  constructor(private readonly call: Call) {}
  canActivate(): boolean {
    return this.call.caller?.from !== undefined;
  }
  offers(context: OfferContext): boolean {
    return context.declaration.name !== 'secret' || this.canActivate();
  }
}

const known = new CallerIdentity('sip', 'c1', '+390612345678', undefined, false);

@VoiceAgent({ name: 'desk' })
class DeskAgent {
  readonly heard: string[] = [];

  @Tool({ description: 'Books.', kind: 'side_effect' })
  @UseGuards(KnownCaller)
  book(): string {
    return 'booked';
  }

  @Tool('A secret.')
  @UseGuards(KnownCaller)
  secret(): string {
    return 'a secret';
  }

  @Tool('Opening hours.')
  hours(): string {
    return 'nine to five';
  }

  @OnEvent(UserText)
  @UseGuards(KnownCaller)
  guarded(event: UserText): void {
    this.heard.push(event.text);
  }
}

describe('a guard', () => {
  test('refuses a tool with a text that the model can speak; nothing of it started', async () => {
    const call = await liveCall(DeskAgent);
    call.tool('book');
    expect(call.link.answers).toEqual([[1, 'error: book is not allowed in this call']]);
  });

  test('that is a CALL provider sees its own call, and lets a tool pass without a promise', async () => {
    const call = await liveCall(DeskAgent, { caller: known });
    call.tool('book');
    expect(call.link.answers).toEqual([[1, '"booked"']]);
  });

  test('refuses an event by skipping the handler, and that is no error', async () => {
    const call = await liveCall(DeskAgent);
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.settle();
    expect((call.agent as DeskAgent).heard).toEqual([]);
    expect(call.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each([
    [
      'throws ToolError',
      () => {
        throw new ToolError('not on Sundays');
      },
      'error: not on Sundays',
    ],
    [
      'throws something else',
      () => {
        throw new RangeError('+39061');
      },
      'error: tool failed: RangeError',
    ],
    ['rejects with ToolError', () => Promise.reject(new ToolError('not now')), 'error: not now'],
    ['resolves to false', () => Promise.resolve(false), 'error: act is not allowed in this call'],
    ['resolves to true', () => Promise.resolve(true), '"done"'],
    [
      'returns something that is not true',
      () => 'yes' as unknown as boolean,
      'error: act is not allowed in this call',
    ],
  ])('that %s', async (_what, canActivate, answer) => {
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      @UseGuards({ canActivate })
      act(): string {
        return 'done';
      }
    }
    const call = await liveCall(Agent);
    call.tool('act');
    await call.settle();
    expect(call.link.answers).toEqual([[1, answer]]);
  });

  test('that refuses an event with a ToolError of its own skips it too', async () => {
    const canActivate = (): boolean => {
      throw new ToolError('no');
    };
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @OnEvent(UserText)
      @UseGuards({ canActivate })
      heard(_event: UserText): void {}
    }
    const call = await liveCall(Agent);
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.settle();
    expect(call.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('of an agent stands before the tools of its tool sets, and a derived class takes none away', async () => {
    const seen: string[] = [];
    const note = (name: string): CanActivate => ({ canActivate: () => seen.push(name) > 0 });
    @Injectable({ scope: Scope.CALL })
    class Tools {
      @Tool('Acts.')
      act(): void {}
    }
    @UseGuards(note('base'))
    class Base {}
    @UseGuards(note('derived'))
    @VoiceAgent({ name: 'desk', toolSets: [Tools] })
    class Agent extends Base {}
    const call = await liveCall(Agent, { providers: [Tools] });
    call.tool('act');
    expect(seen).toEqual(['base', 'derived']);
  });

  test('of a CALL provider is made in that provider’s module, whatever its token is', async () => {
    const AUDIT = new InjectionToken<Audit>('AUDIT');
    @Injectable()
    class Never implements CanActivate {
      canActivate(): boolean {
        return false;
      }
    }
    @Injectable({ scope: Scope.CALL })
    class Audit {
      readonly heard: string[] = [];
      @OnEvent(UserText)
      @UseGuards(Never)
      hear(event: UserText): void {
        this.heard.push(event.text);
      }
    }
    @Module({ providers: [{ provide: AUDIT, useClass: Audit }], exports: [AUDIT] })
    class AuditModule {}
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Inject(AUDIT) readonly audit!: Audit;
    }
    const call = await liveCall(Agent, { imports: [AuditModule] });
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.settle();
    expect((call.agent as Agent).audit.heard).toEqual([]);
    expect(call.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('of the application may be a class of the container, with metadata to read', async () => {
    const Staff = Reflector.createDecorator<boolean>();
    @Injectable()
    class StaffGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get(Staff, context) !== true;
      }
    }
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('For staff.')
      @Staff(true)
      staffOnly(): void {}
      @Tool('For all.')
      forAll(): void {}
    }
    const call = await liveCall(Agent, { providers: [{ provide: APP_GUARD, useClass: StaffGuard }] });
    call.tool('staffOnly');
    call.tool('forAll');
    expect(call.link.answers).toEqual([
      [1, 'error: staffOnly is not allowed in this call'],
      [2, 'null'],
    ]);
  });
});

describe('a tool that a guard does not offer', () => {
  test('is not in the accept, cannot be set, and is unknown when it is called', async () => {
    const call = await sessionOf(DeskAgent);
    expect(await call.session.start()).toEqual({ tools: ['book', 'hours'] });
    call.session.open(call.link);
    call.tool('secret');
    expect(call.link.answers).toEqual([[1, 'error: unknown tool "secret"']]);
    void call.session.call.setTools(['secret', 'hours', 'of_the_server'], { wait: false });
    expect(call.link.commands.map(({ command }) => command)).toEqual([
      { type: 'tools.set', enabled: ['hours', 'of_the_server'] },
    ]);
  });

  test('is there in a call that may have it', async () => {
    const call = await sessionOf(DeskAgent, { caller: known });
    expect(await call.session.start()).toBeUndefined();
  });

  test('stays hidden when its guard fails, and the log says so without the message', async () => {
    const offers = (): boolean => {
      throw new RangeError('+390612345678');
    };
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      @UseGuards({ canActivate: () => true, offers })
      act(): void {}
    }
    const call = await sessionOf(Agent);
    expect(await call.session.start()).toEqual({ tools: [] });
    expect(call.log.map(({ level }) => level)).toContain('error');
    expect(JSON.stringify(call.log)).not.toContain('+390612345678');
  });
});
