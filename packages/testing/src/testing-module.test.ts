import {
  APP_GUARD,
  Arg,
  Call,
  type CanActivate,
  Catch,
  CLOCK,
  type ExceptionFilter,
  type Interceptor,
  Logger,
  type Next,
  OnCallStart,
  OnEvent,
  type Pipe,
  Tool,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  UserText,
  VoiceAgent,
} from '@callwright/core';
import { Inject, Injectable, InjectionToken, Module, Scope } from '@callwright/di';
import { detachedCall, rules, Test, type TestApplication, when } from '.';

const NAME = new InjectionToken<string>('NAME');

@Injectable()
class Bookings {
  hours(): string {
    throw new Error('asks a real restaurant');
  }
}

@Injectable({ scope: Scope.CALL })
class Notes implements OnCallStart {
  readonly lines: string[] = [];
  constructor(readonly call: Call) {}
  onCallStart(): undefined {
    this.lines.push('started');
  }
}

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Shout implements Pipe<string, string> {
  transform(value: string): string {
    return value.toUpperCase();
  }
}

@Injectable()
class Frame implements Interceptor {
  async intercept(_context: unknown, next: Next): Promise<unknown> {
    return `[${await next()}]`;
  }
}

@Catch()
class Apology implements ExceptionFilter {
  catch(): string {
    return 'sorry';
  }
}

@VoiceAgent({ name: 'luigi' })
class LuigiAgent {
  constructor(
    readonly bookings: Bookings,
    readonly notes: Notes,
    @Inject(NAME) readonly name: string,
  ) {}

  @Tool('Opening hours.')
  hours(): string {
    return `${this.name} ${this.bookings.hours()}`;
  }

  @Tool('How many notes there are.')
  noted(): number {
    return this.notes.lines.length;
  }

  @Tool('For some only.')
  @UseGuards(Closed)
  secret(): string {
    return 'open';
  }

  @Tool('Says it back.')
  @UsePipes(Shout)
  @UseInterceptors(Frame)
  echo(@Arg('word') word: string): string {
    return word;
  }

  @Tool('Always fails.')
  @UseFilters(Apology)
  fail(): string {
    throw new Error('broken');
  }
}

@Module({ providers: [{ provide: NAME, useValue: 'Luigi' }], exports: [NAME] })
class NameModule {}

@Module({ imports: [NameModule], agents: [LuigiAgent], providers: [Bookings, Notes] })
class AppModule {}

const testing = () => Test.createTestingModule({ imports: [AppModule] });

let running: TestApplication | undefined;

async function answerOf(app: TestApplication, tool: string, args = {}): Promise<unknown> {
  running = app;
  const call = await app.call();
  const outcome = await call.tool(tool, args);
  return outcome.value ?? outcome.text;
}

afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('a testing module', () => {
  it('puts a value, a class or a factory in the place of a provider', async () => {
    @Injectable()
    class Summer {
      constructor(@Inject(NAME) readonly name: string) {}
      hours(): string {
        return `${this.name}: always`;
      }
    }
    const byValue = testing()
      .overrideProvider(Bookings)
      .useValue({ hours: () => 'six' });
    expect(await answerOf(await byValue.createApplication(), 'hours')).toBe('Luigi six');
    await running?.close();
    const byClass = testing().overrideProvider(Bookings).useClass(Summer);
    expect(await answerOf(await byClass.createApplication(), 'hours')).toBe('Luigi Luigi: always');
    await running?.close();
    const byFactory = testing()
      .overrideProvider(Bookings)
      .useFactory({ inject: [NAME], useFactory: (name: string) => ({ hours: () => `by ${name}` }) });
    expect(await answerOf(await byFactory.createApplication(), 'hours')).toBe('Luigi by Luigi');
  });

  it('replaces CALL providers: each call has its own, and their hooks run', async () => {
    @Injectable({ scope: Scope.CALL })
    class TwoNotes {
      readonly lines: string[] = [];
      onCallStart(): undefined {
        this.lines.push('one', 'two');
      }
    }
    const app = await testing().overrideProvider(Notes).useClass(TwoNotes).createApplication();
    expect(await answerOf(app, 'noted')).toBe(2);
    expect(await answerOf(app, 'noted')).toBe(2);
  });

  it('replaces guards, pipes, interceptors and filters that decorators name', async () => {
    const plain = await testing().createApplication();
    expect(await answerOf(plain, 'secret')).toContain('not allowed');
    expect(await answerOf(plain, 'echo', { word: 'a' })).toBe('[A]');
    expect(await answerOf(plain, 'fail')).toContain('sorry');
    await plain.close();
    const app = await testing()
      .overrideGuard(Closed)
      .useValue({ canActivate: () => true })
      .overridePipe(Shout)
      .useValue({ transform: (value) => `${value}!` })
      .overrideInterceptor(Frame)
      .useValue({ intercept: (_context, next) => next() })
      .overrideFilter(Apology)
      .useValue({ catch: () => 'as planned' })
      .createApplication();
    expect(await answerOf(app, 'secret')).toBe('open');
    expect(await answerOf(app, 'echo', { word: 'a' })).toBe('a!');
    expect(await answerOf(app, 'fail')).toContain('as planned');
  });

  it('replaces a tool set, and a guard of the whole application that has a token of its own', async () => {
    const heard: string[] = [];
    @Injectable({ scope: Scope.CALL })
    class Calendar {
      @Tool('The date.')
      today(): string {
        return 'by the machine';
      }
      @OnEvent(UserText)
      heard(event: UserText): void {
        heard.push(event.text);
      }
    }
    @Injectable({ scope: Scope.CALL })
    class FixedCalendar extends Calendar {
      override today(): string {
        return 'the first of May';
      }
      override heard(event: UserText): void {
        heard.push(`fixed ${event.text}`);
      }
    }
    @VoiceAgent({ name: 'desk', toolSets: [Calendar] })
    class DeskAgent {}
    @Module({
      agents: [DeskAgent],
      providers: [Calendar, Closed, { provide: APP_GUARD, useExisting: Closed }],
    })
    class DeskModule {}
    const desk = () => Test.createTestingModule({ imports: [DeskModule] });
    const closed = await desk().createApplication();
    expect(await answerOf(closed, 'today')).toContain('not allowed');
    await closed.close();
    const byValue = await desk()
      .overrideGuard(Closed)
      .useValue({ canActivate: () => true })
      .overrideProvider(Calendar)
      .useValue({ today: () => 'never', heard: () => undefined })
      .createApplication();
    expect(await answerOf(byValue, 'today')).toBe('never');
    await byValue.close();
    const open = desk()
      .overrideGuard(Closed)
      .useValue({ canActivate: () => true });
    const app = await open.overrideProvider(Calendar).useClass(FixedCalendar).createApplication();
    expect(await answerOf(app, 'today')).toBe('the first of May');
    const call = await app.call({ brain: rules([when(/./).say('Yes.')]) });
    await call.user('hello');
    expect(heard).toEqual(['fixed hello']);
  });

  it('replaces a guard of the whole application that is given by its class alone, and leaves others of its kind', async () => {
    const asked: string[] = [];
    @Injectable()
    class Other implements CanActivate {
      canActivate(): boolean {
        asked.push('other');
        return true;
      }
    }
    @Module({
      imports: [AppModule],
      providers: [
        { provide: APP_GUARD, useClass: Closed },
        { provide: APP_GUARD, useClass: Other },
      ],
    })
    class GuardedModule {}
    const guarded = Test.createTestingModule({ imports: [GuardedModule] });
    const closed = await guarded.createApplication();
    expect(await answerOf(closed, 'noted')).toContain('not allowed');
    await closed.close();
    const open = await guarded
      .overrideGuard(Closed)
      .useValue({ canActivate: () => asked.push('open') > 0 })
      .createApplication();
    expect(await answerOf(open, 'noted')).toBe(1);
    expect(asked).toEqual(['open', 'other']);
  });

  it('replaces a module wherever it is imported', async () => {
    @Module({ providers: [{ provide: NAME, useValue: 'Mario' }], exports: [NAME] })
    class OtherNameModule {}
    const app = await testing().overrideModule(NameModule).useModule(OtherNameModule).createApplication();
    expect(app.get(NAME)).toBe('Mario');
    await app.close();
  });

  it('asks the mocker for what nobody provides, and for nothing else', async () => {
    const asked: unknown[] = [];
    const module = await Test.createTestingModule({ agents: [LuigiAgent], providers: [Notes] })
      .useMocker((token) => {
        asked.push(token);
        return token === NAME ? 'Mock' : { hours: () => 'never' };
      })
      .compile();
    expect(module.resolve(LuigiAgent).hours()).toBe('Mock never');
    expect(asked).toEqual([Bookings, NAME]);
    await module.close();
  });

  it('says which override replaces nothing', async () => {
    class Nowhere {}
    const overridden = testing().overrideProvider(Nowhere).useValue({});
    await expect(overridden.compile()).rejects.toThrow('Nowhere');
    await expect(overridden.createApplication()).rejects.toThrow('Nowhere');
  });

  it('does not compile a value that does not fit its token', () => {
    const builder = testing();
    // @ts-expect-error hours returns a string
    builder.overrideProvider(Bookings).useValue({ hours: () => 5 });
    // @ts-expect-error a guard has canActivate
    builder.overrideGuard(Closed).useValue({});
    // @ts-expect-error Bookings is no guard
    builder.overrideGuard(Bookings);
    expect(builder).toBeDefined();
  });
});

describe('a compiled module', () => {
  it('gives singletons, and instances of CALL providers in a scope of their own', async () => {
    const disposed: string[] = [];
    @Injectable({ scope: Scope.CALL })
    class Disposable {
      constructor(
        readonly call: Call,
        readonly logger: Logger,
      ) {}
      [Symbol.dispose](): void {
        disposed.push(this.call.id);
      }
    }
    const module = await Test.createTestingModule({ providers: [Bookings, Disposable] }).compile();
    expect(module.get(Bookings)).toBeInstanceOf(Bookings);
    expect(module.get(CLOCK)).toBe(module.clock);
    const { call } = detachedCall({ from: '+390612345678' });
    const first = module.resolve(Disposable, call);
    expect(first.call.caller?.from).toBe('+390612345678');
    expect(module.resolve(Disposable)).not.toBe(first);
    first.logger.warn('noted');
    expect(module.log.entries).toMatchObject([{ level: 'warn', message: 'noted', callId: call.id }]);
    expect(() => module.get(Disposable)).toThrow('there is no instance outside of a call');
    await module.close();
    expect(disposed).toHaveLength(2);
    expect(disposed[1]).toBe(call.id);
  });

  it('says at once what is wrong with its modules', async () => {
    await expect(Test.createTestingModule({ providers: [Notes, LuigiAgent] }).compile()).rejects.toThrow(
      'Bookings',
    );
  });
});
