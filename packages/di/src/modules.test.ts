import {
  type Class,
  ConfigurableModuleBuilder,
  type ContainerPlan,
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  InjectionToken,
  lazy,
  Module,
  type ModuleMetadata,
  type PlanOptions,
  planContainer,
} from '.';
import { codes, moduleOf } from './program.test-support';

const NAME = new InjectionToken<string>('NAME');

@Injectable()
class Service {}

@Injectable()
class Consumer {
  constructor(readonly service: Service) {}
}

const firstMessage = (plan: ContainerPlan): string => plan.problems[0]?.message ?? '';
const planOf = (metadata: ModuleMetadata, options?: PlanOptions) =>
  planContainer(moduleOf(metadata), options);

describe('imports and exports', () => {
  test('a provider is visible where its module is imported and exports it', async () => {
    const shared = moduleOf({ providers: [Service], exports: [Service] }, 'Shared');
    const plan = await planOf({ imports: [shared], providers: [Consumer] });
    const container = await plan.instantiate();
    expect(container.get(Consumer).service).toBe(container.get(Service));
  });

  test('a provider that is not exported is told apart from one that is missing, with its module', async () => {
    const shared = moduleOf({ providers: [Service] }, 'Shared');
    const imported = await planOf({ imports: [shared], providers: [Consumer] });
    expect(codes(imported)).toEqual(['CW_DI_PROVIDER_NOT_EXPORTED']);
    expect(firstMessage(imported)).toContain('imports Shared, which does not export Service');
    const between = moduleOf({ imports: [shared] }, 'Between');
    const elsewhere = await planOf({ imports: [between], providers: [Consumer] });
    expect(codes(elsewhere)).toEqual(['CW_DI_PROVIDER_NOT_EXPORTED']);
    expect(firstMessage(elsewhere)).toContain('import Shared in AppModule');
    const missing = await planOf({ providers: [Consumer] });
    expect(codes(missing)).toEqual(['CW_DI_PROVIDER_MISSING']);
  });

  test('modules that are exported pass their exports on, over any number of steps', async () => {
    const inner = moduleOf({ providers: [Service], exports: [Service] }, 'Inner');
    const middle = moduleOf({ imports: [inner], exports: [inner] }, 'Middle');
    const outer = moduleOf({ imports: [middle], exports: [middle] }, 'Outer');
    expect(codes(await planOf({ imports: [outer], providers: [Consumer] }))).toEqual([]);
  });

  test('a dynamic module is passed on by its class or by its object', async () => {
    const base = moduleOf({}, 'Feature');
    const feature: DynamicModule = { module: base, providers: [Service], exports: [Service] };
    for (const exported of [base, feature]) {
      const middle = moduleOf({ imports: [feature], exports: [exported] }, 'Middle');
      expect(codes(await planOf({ imports: [middle], providers: [Consumer] }))).toEqual([]);
    }
  });

  test('a global module is seen everywhere, by decorator or by a dynamic module that says so', async () => {
    const decorated = moduleOf({ providers: [Service], exports: [Service] }, 'Decorated');
    Global()(decorated);
    const plain = moduleOf({ providers: [Service], exports: [Service] }, 'Plain');
    for (const global of [decorated, { module: plain, global: true }]) {
      const user = moduleOf({ providers: [Consumer] }, 'User');
      expect(codes(await planOf({ imports: [user, global] }))).toEqual([]);
    }
  });

  test('what is exported must be provided or imported', async () => {
    const owner = moduleOf({ providers: [Service], exports: [Service] }, 'Owner');
    const plan = await planOf({ imports: [owner], exports: [Service, NAME, { module: owner }] });
    expect(codes(plan)).toEqual(Array(3).fill('CW_DI_EXPORT_NOT_PROVIDED'));
    expect(firstMessage(plan)).toContain('belongs to Owner');
  });

  test('modules may import each other when one of them is lazy', async () => {
    const left = moduleOf({ imports: [lazy(() => right)], providers: [Service], exports: [Service] }, 'Left');
    const right: Class = moduleOf({ imports: [left], providers: [Consumer], exports: [Consumer] }, 'Right');
    const plan = await planContainer(left);
    expect(codes(plan)).toEqual([]);
    expect(plan.modules.map(({ name }) => name)).toEqual(['Right', 'Left']);
  });

  test('what is no module is a problem, and undefined is told apart', async () => {
    const imports = [Service, undefined, { module: Service }, 7] as unknown as Class[];
    const plan = await planOf({ imports });
    expect(codes(plan)).toEqual([
      'CW_DI_NOT_A_MODULE',
      'CW_DI_IMPORT_UNDEFINED',
      'CW_DI_NOT_A_MODULE',
      'CW_DI_NOT_A_MODULE',
    ]);
    expect(plan.problems[1]?.message).toContain('AppModule, imports[1]');
    expect(codes(await planContainer(Service))).toEqual(['CW_DI_NOT_A_MODULE']);
    const rootless = await planContainer(undefined as unknown as Class);
    expect(rootless.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The root module is undefined.'),
    ]);
  });

  test('two imports that export one token are a warning, and the first is used', async () => {
    const first = moduleOf({ providers: [{ provide: NAME, useValue: 'first' }], exports: [NAME] }, 'First');
    const second = moduleOf(
      { providers: [{ provide: NAME, useValue: 'second' }], exports: [NAME] },
      'Second',
    );
    @Injectable()
    class Reader {
      @Inject(NAME) readonly name!: string;
    }
    const plan = await planOf({ imports: [first, second], providers: [Reader] });
    expect(plan.warnings.map(({ code }) => code)).toEqual(['CW_DI_PROVIDER_AMBIGUOUS']);
    expect((await plan.instantiate()).get(Reader).name).toBe('first');
  });
});

describe('dynamic modules', () => {
  test('identity is the reference: one object is one module, two objects are two', async () => {
    const base = moduleOf({ providers: [Service], exports: [Service] }, 'Base');
    const shared: DynamicModule = { module: base };
    const one = moduleOf({ imports: [shared], providers: [Consumer], exports: [Consumer] }, 'One');
    const two = moduleOf({ imports: [shared, { module: base }] }, 'Two');
    const plan = await planOf({ imports: [one, two] });
    expect(plan.modules.map(({ id }) => id)).toEqual(['Base', 'One', 'Base#2', 'Two', 'AppModule']);
  });

  test('a promise of a dynamic module is awaited; a rejected one is a problem and no unhandled rejection', async () => {
    const base = moduleOf({}, 'Base');
    const made = Promise.resolve({ module: base, providers: [Service], exports: [Service] });
    expect(codes(await planOf({ imports: [made], providers: [Consumer] }))).toEqual([]);
    const slow = new Promise<DynamicModule>((resolve) => setImmediate(() => resolve({ module: base })));
    const failing = Promise.reject<DynamicModule>(new RangeError('secret'));
    const later = moduleOf({ imports: [failing] }, 'Later');
    const plan = await planOf({ imports: [slow, later] });
    expect(codes(plan)).toEqual(['CW_DI_IMPORT_REJECTED']);
    expect(firstMessage(plan)).toContain('Later, imports[0]');
    expect(firstMessage(plan)).toContain('RangeError');
    expect(firstMessage(plan)).not.toContain('secret');
  });

  test('the builder makes forRoot and forRootAsync, also under another name', async () => {
    interface Options {
      sender: string;
    }
    const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<Options>('Mail')
      .setClassMethodName('register')
      .build();
    @Module({ exports: [MODULE_OPTIONS_TOKEN] })
    class MailModule extends ConfigurableModuleClass {}
    const names = moduleOf({ providers: [{ provide: NAME, useValue: 'luigi' }], exports: [NAME] }, 'Names');
    const given = await planOf({ imports: [MailModule.register({ sender: 'a' }, { global: true })] });
    expect((await given.instantiate()).get(MODULE_OPTIONS_TOKEN)).toEqual({ sender: 'a' });
    const made = MailModule.registerAsync({
      imports: [names],
      inject: [NAME],
      useFactory: async (name) => ({ sender: name }),
    });
    const container = await (await planOf({ imports: [made] })).instantiate();
    expect(container.get(MODULE_OPTIONS_TOKEN)).toEqual({ sender: 'luigi' });
    expect(MODULE_OPTIONS_TOKEN.description).toBe('Mail options');
  });
});

describe('what users write wrong', () => {
  test('unknown options are named with the nearest that exists', async () => {
    const metadata = { provider: [], providers: [{ provide: NAME, useValue: 1, inject: [], scop: 'CALL' }] };
    const plan = await planOf(metadata as ModuleMetadata);
    expect(codes(plan)).toEqual(['CW_DI_OPTION_UNKNOWN', 'CW_DI_OPTION_UNUSED', 'CW_DI_OPTION_UNKNOWN']);
    expect(firstMessage(plan)).toContain('did you mean providers');
    expect(plan.problems[2]?.message).toContain('did you mean scope');
  });

  test('options of @Injectable are checked too', async () => {
    class Wrong {}
    Injectable({ scop: 'CALL', scope: 'REQUEST' } as object)(Wrong);
    const plan = await planOf({ providers: [Wrong] });
    expect(codes(plan)).toEqual(['CW_DI_OPTION_UNKNOWN', 'CW_DI_PROVIDER_INVALID']);
    expect(firstMessage(plan)).toContain('did you mean scope');
  });

  test('what is no provider is a problem that says why', async () => {
    const wrong: [unknown, string][] = [
      [undefined, 'undefined'],
      [null, 'null'],
      [7, 'a value of type number'],
      [{ provide: 'NAME', useValue: 1 }, '`provide` is a value of type string'],
      [{ provide: NAME }, 'does not say how'],
      [{ provide: NAME, useValue: 1, useFactory: () => 1 }, 'useValue and useFactory'],
      [{ provide: NAME, useClass: {} }, '`useClass`'],
      [{ provide: NAME, useExisting: undefined }, '`useExisting`'],
      [{ provide: NAME, useFactory: () => 1, scope: 'REQUEST' }, 'its scope'],
    ];
    const plan = await planOf({ providers: wrong.map(([provider]) => provider) as [] });
    expect(codes(plan)).toEqual(wrong.map(() => 'CW_DI_PROVIDER_INVALID'));
    for (const [index, [, reason]] of wrong.entries()) {
      expect(plan.problems[index]?.message).toContain(`AppModule, providers[${index}]`);
      expect(plan.problems[index]?.message).toContain(reason);
    }
    expect(codes(await planOf({ agents: [{}] as unknown as Class[] }))).toEqual(['CW_DI_PROVIDER_INVALID']);
  });

  test('a token provided twice in one module is a problem, also as provider and agent', async () => {
    const twice = { provide: NAME, useValue: 'a' };
    expect(codes(await planOf({ providers: [twice, twice] }))).toEqual(['CW_DI_PROVIDER_DUPLICATE']);
    expect(codes(await planOf({ providers: [Service], agents: [Service] }))).toEqual([
      'CW_DI_PROVIDER_DUPLICATE',
    ]);
  });

  test('everything wrong is found in one go', async () => {
    @Injectable()
    class Left {
      constructor(@Inject(lazyRight()) readonly right: object) {}
    }
    function lazyRight(): InjectionToken<object> {
      return RIGHT;
    }
    const plan = await planOf({
      providers: [Consumer, Left, { provide: RIGHT, useFactory: (left) => left, inject: [Left] }],
      exports: [NAME],
      imports: [undefined as unknown as Class],
    });
    expect(new Set(codes(plan))).toEqual(
      new Set([
        'CW_DI_IMPORT_UNDEFINED',
        'CW_DI_EXPORT_NOT_PROVIDED',
        'CW_DI_PROVIDER_MISSING',
        'CW_DI_CYCLE',
      ]),
    );
    await expect(plan.instantiate()).rejects.toMatchObject({ code: 'CW_DI_PLAN_HAS_PROBLEMS' });
  });
});
const RIGHT = new InjectionToken<object>('RIGHT');

describe('agents, extra classes, call providers', () => {
  test('agents are CALL providers of their module', async () => {
    @Injectable()
    class Agent {}
    const plan = await planOf({ agents: [Agent] });
    expect(plan.agents).toEqual([{ type: Agent, module: plan.root }]);
    expect(plan.graph().modules[0]?.providers[0]).toMatchObject({ token: 'Agent', scope: 'CALL' });
  });

  test('extra classes are registered where they are named, unless they are seen there already', async () => {
    @Injectable()
    class Inner {}
    @Injectable()
    class Guard {
      constructor(readonly service: Service) {}
    }
    const shared = moduleOf({ providers: [Guard, Service], exports: [Guard] }, 'Shared');
    const user = moduleOf({ imports: [shared], providers: [Service, Consumer] }, 'User');
    const named = new Map<Class, readonly Class[]>([
      [Consumer as Class, [Guard as Class]],
      [Guard as Class, [Inner]],
    ]);
    const plan = await planOf({ imports: [user] }, { injectablesOf: (type) => named.get(type) ?? [] });
    expect(codes(plan)).toEqual([]);
    const tokens = plan
      .graph()
      .modules.map(({ name, providers }) => [name, providers.map(({ token }) => token)]);
    expect(tokens).toEqual([
      ['Shared', ['Guard', 'Service', 'Inner']],
      ['User', ['Service', 'Consumer']],
      ['AppModule', []],
    ]);
  });
});
