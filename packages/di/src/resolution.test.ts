import { Inject, Injectable, InjectionToken, planContainer } from '.';
import { codes, moduleOf } from './program.test-support';

@Injectable()
class Calendar {}

@Injectable()
class Bookings {
  constructor(readonly calendar: Calendar) {}
}

test('a missing provider comes with the nearest names and their modules', async () => {
  class CalendarService {}
  class Calender {}
  class Kitchen {}
  const calendars = moduleOf({ providers: [CalendarService] }, 'CalendarModule');
  const plan = await planContainer(
    moduleOf({ imports: [calendars], providers: [Bookings, Calender, Kitchen] }),
  );
  expect(codes(plan)).toEqual(['CW_DI_PROVIDER_MISSING']);
  const { message } = plan.problems[0] ?? { message: '' };
  expect(message).toContain('Bookings, parameter 0 of the constructor: nobody provides Calendar.');
  expect(message).toContain('Did you mean: CalendarService (CalendarModule), Calender (AppModule)?');
});

test('another class of the same name is told apart from a slip', async () => {
  const copy = { Calendar: class {} }.Calendar;
  const plan = await planContainer(moduleOf({ providers: [Bookings, copy] }));
  expect(plan.problems[0]?.message).toContain('AppModule provides another Calendar. Two copies');
});

test('a cycle is reported once, with its whole path, wherever one enters it', async () => {
  const [A, B, C, D] = ['A', 'B', 'C', 'D'].map((name) => new InjectionToken<object>(name));
  if (!A || !B || !C || !D) throw new Error('no tokens');
  const made = (provide: InjectionToken<object>, ...inject: InjectionToken<object>[]) => ({
    provide,
    useFactory: () => ({}),
    inject,
  });
  const providers = [made(D, C, A), made(A, B), made(B, C), made(C, A)];
  const plan = await planContainer(moduleOf({ providers }));
  expect(codes(plan)).toEqual(['CW_DI_CYCLE']);
  expect(plan.problems[0]?.message).toContain('C -> A -> B -> C');
});

test('a class that needs itself is a cycle; several cycles are all reported', async () => {
  const SELF = new InjectionToken<Narcissus>('SELF');
  @Injectable()
  class Narcissus {
    constructor(@Inject(SELF) readonly self: Narcissus) {}
  }
  const ECHO = new InjectionToken<object>('ECHO');
  const plan = await planContainer(
    moduleOf({
      providers: [
        Narcissus,
        { provide: SELF, useExisting: Narcissus },
        { provide: ECHO, useFactory: () => ({}), inject: [Bookings] },
        { provide: Bookings, useExisting: ECHO },
      ],
    }),
  );
  expect(codes(plan)).toEqual(['CW_DI_CYCLE', 'CW_DI_CYCLE']);
});

test('a plan is frozen', async () => {
  const plan = await planContainer(moduleOf({ providers: [Calendar, Bookings] }));
  expect([plan.problems, plan.warnings, plan.modules, plan.root].map(Object.isFrozen)).toEqual(
    Array(4).fill(true),
  );
});

test('a chain of a thousand providers and modules is planned and made', async () => {
  let imported: ReturnType<typeof moduleOf> | undefined;
  let before: InjectionToken<number> | undefined;
  for (let index = 0; index < 1_000; index++) {
    const provide = new InjectionToken<number>(`N${index}`);
    const useFactory = (value: number | undefined) => (value ?? 0) + 1;
    const provider = { provide, useFactory, inject: before === undefined ? [] : [before] };
    const imports = imported === undefined ? [] : [imported];
    imported = moduleOf({ imports, providers: [provider], exports: [provide] }, `M${index}`);
    before = provide;
  }
  if (imported === undefined || before === undefined) throw new Error('nothing made');
  const container = await (await planContainer(imported)).instantiate();
  expect(container.get(before)).toBe(1_000);
});
