import {
  CallScopes,
  ConfigurableModuleBuilder,
  Inject,
  Injectable,
  InjectionToken,
  Lazy,
  lazy,
  Module,
  Optional,
  planContainer,
} from '.';

interface Clock {
  now(): number;
}
const CLOCK = new InjectionToken<Clock>('CLOCK');
const HOUR = new InjectionToken<number>('HOUR');
class Kitchen {
  readonly open = true;
}

// These lines are compiled with the tests: each `@ts-expect-error` fails the type check if the error is gone.
export class Checked {
  // @ts-expect-error: a number does not fit a public property of type string
  @Inject(HOUR) hour!: string;
  @Inject(HOUR) rightHour!: number;
  @Inject(CLOCK) @Optional() clock?: Clock;
  @Inject(HOUR) private readonly hidden!: number;

  constructor(
    @Inject(CLOCK) readonly right: Clock,
    // @ts-expect-error: a number does not fit a parameter of type string
    @Inject(HOUR) readonly wrong: string,
    @Inject(HOUR) @Optional() readonly maybe: number | undefined,
    // @ts-expect-error: a lazy reference gives a Lazy, not the instance
    @Inject(lazy(() => Kitchen)) readonly eager: Kitchen,
    @Inject(lazy(() => Kitchen)) readonly kitchen: Lazy<Kitchen>,
    @Inject(CallScopes) readonly scopes: CallScopes,
    // @ts-expect-error: another class
    @Inject(CallScopes) readonly otherClass: Checked,
  ) {}

  // @ts-expect-error: parameters of methods are not filled by the container
  method(@Inject(HOUR) hour: number): number {
    return hour + this.hidden;
  }
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<{ size: number }>('Typed').build();
export const typedOptions = (): unknown => [
  ConfigurableModuleClass.forRoot({ size: 1 }),
  // @ts-expect-error: the options are typed
  ConfigurableModuleClass.forRoot({ size: 'large' }),
  ConfigurableModuleClass.forRootAsync({ inject: [HOUR], useFactory: (hour: number) => ({ size: hour }) }),
  ConfigurableModuleClass.forRootAsync({
    inject: [HOUR],
    // @ts-expect-error: the factory gets what `inject` names
    useFactory: (hour: string) => ({ size: hour.length }),
  }),
];

test('a decorator where the container cannot inject is a problem at boot', async () => {
  class Host {
    // @ts-expect-error: parameters of methods are not filled by the container
    greet(@Inject(HOUR) hour: number): number {
      return hour;
    }
    // @ts-expect-error: static properties are not filled by the container
    @Inject(HOUR) static hour: number;
  }
  Injectable()(Host);
  @Module({ providers: [Host, { provide: HOUR, useValue: 19 }] })
  class AppModule {}
  const plan = await planContainer(AppModule);
  expect(plan.problems.map((found) => found.code)).toEqual([
    'CW_DI_INJECT_MISPLACED',
    'CW_DI_INJECT_MISPLACED',
  ]);
  expect(plan.problems[0]?.message).toContain('Host, parameter 0 of greet');
});

test('a derived class does not change what its base recorded', async () => {
  class Base {
    @Inject(HOUR) hour!: number;
  }
  class Derived extends Base {
    @Inject(CLOCK) clock!: Clock;
  }
  class Overriding extends Base {
    @Inject(HOUR) @Optional() override hour = 3;
  }
  for (const type of [Base, Derived, Overriding]) Injectable()(type);
  const now = { now: () => 1 };
  @Module({
    providers: [
      Base,
      Derived,
      Overriding,
      { provide: HOUR, useValue: 19 },
      { provide: CLOCK, useValue: now },
    ],
  })
  class AppModule {}
  const container = await (await planContainer(AppModule)).instantiate();
  expect(Object.keys(container.get(Base))).toEqual(['hour']);
  expect(container.get(Derived)).toEqual({ hour: 19, clock: now });
  expect(container.get(Overriding).hour).toBe(19);
});

test('properties named by symbols are injected, and real instances keep their #private fields', async () => {
  const HIDDEN = Symbol('hidden');
  @Injectable()
  class Vault {
    @Inject(HOUR) readonly [HIDDEN]!: number;
    #opened = 0;
    open(): number {
      this.#opened += 1;
      return this.#opened + this[HIDDEN];
    }
  }
  @Module({ providers: [Vault, { provide: HOUR, useValue: 10 }] })
  class AppModule {}
  const container = await (await planContainer(AppModule)).instantiate();
  expect(container.get(Vault).open()).toBe(11);
  expect(container.get(Vault).open()).toBe(12);
});
