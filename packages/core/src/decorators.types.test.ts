import { Inject, InjectionToken } from '@callwright/di';
import { z } from 'zod';
import { Arg, Args } from './arg';
import type { Call } from './call';
import { UseGuards } from './enhancers';
import { BotText, type TurnBotEnded, type TurnUserStarted, UserText } from './events';
import { OnEvent } from './on-event';
import { CurrentCall, CurrentTool, createParamDecorator } from './parameter-decorators';
import { ParseDatePipe } from './pipes/parse-date';
import { TrimPipe } from './pipes/trim';
import { Reflector } from './reflector';
import { Interval } from './timers';
import { Tool } from './tool';
import type { ToolContext } from './tool-context';

/**
 * What must not compile. The compiler checks these lines: an `@ts-expect-error` over a line that compiles is itself an
 * error, so a check that is gone fails `npm run typecheck`. The class is never constructed.
 */
const DAYS = ['saturday', 'sunday'] as const;
type Day = (typeof DAYS)[number];
enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
}
const LIMIT = new InjectionToken<number>('LIMIT');

export class Checked {
  constructor(
    @Inject(LIMIT) readonly limit: number,
    // @ts-expect-error a number is injected, the parameter wants a text
    @Inject(LIMIT) readonly wrong: string,
  ) {}

  @OnEvent(UserText)
  byClass(_event: UserText): void {}

  @OnEvent('user.text')
  byName(_event: UserText): void {}

  @OnEvent('turn.*')
  byFamily(_event: { readonly epoch: number; readonly type: `turn.${string}` }): void {}

  // @ts-expect-error another event of the same shape
  @OnEvent(BotText)
  twin(_event: UserText): void {}

  // @ts-expect-error another event of the same shape, by name
  @OnEvent('turn.user_started')
  twinByName(_event: TurnBotEnded): void {}

  // @ts-expect-error there is no such event
  @OnEvent('user.txt')
  misspelt(_event: UserText): void {}

  // @ts-expect-error a family has more than this one
  @OnEvent('turn.*')
  familyTooNarrow(_event: TurnUserStarted): void {}

  // @ts-expect-error not on static methods
  @OnEvent(UserText)
  static onTheClass(_event: UserText): void {}

  @Tool({ description: 'x', kind: 'side_effect', confirm: true, repeatable: true })
  sideEffect(): void {}

  // @ts-expect-error only side effects are confirmed
  @Tool({ description: 'x', kind: 'read_only', confirm: true })
  confirmedRead(): void {}

  // @ts-expect-error only side effects are repeatable
  @Tool({ description: 'x', kind: 'read_only', repeatable: true })
  repeatableRead(): void {}

  // @ts-expect-error the kind is missing
  @Tool({ description: 'x' })
  withoutKind(): void {}

  // @ts-expect-error not on static methods
  @Tool('x')
  static staticTool(): void {}

  @Tool('x')
  arguments(
    @Arg('day', { enum: DAYS }) _day: Day,
    @Arg('seating', { enum: Seating }) _seating: Seating,
    @Arg('plain') _plain: string,
  ): void {}

  @Tool('x')
  wrongArguments(
    // @ts-expect-error the days are texts
    @Arg('day', { enum: DAYS }) _day: number,
    // @ts-expect-error not every day is a saturday
    @Arg('other', { enum: DAYS }) _other: 'saturday',
  ): void {}
}

const CallerNumber = createParamDecorator((_input: undefined, context) => context.call.caller?.from);
const Repeated = createParamDecorator(async (times: number) => 'ha'.repeat(times));
const Roles = Reflector.createDecorator<readonly string[]>();
class NoGuard {}

export class Enhanced {
  @Tool('x')
  parameters(
    @Arg('day', { type: 'string' }, ParseDatePipe) _day: Date,
    @Arg('name', {}, TrimPipe) _name: string,
    @Args(z.object({ a: z.number() })) _whole: { a: number },
    @CallerNumber() _from: string | undefined,
    @Repeated(3) _repeated: string,
    @CurrentCall() _call: Call,
    @CurrentTool() _tool: ToolContext,
  ): void {}

  @Tool('x')
  wrongParameters(
    // @ts-expect-error the pipe gives a Date
    @Arg('day', { type: 'string' }, ParseDatePipe) _day: string,
    // @ts-expect-error the schema gives an object with a number
    @Args(z.object({ a: z.number() })) _whole: { a: string },
    // @ts-expect-error the number may be missing
    @CallerNumber() _from: string,
    // @ts-expect-error the input is missing
    @Repeated() _repeated: string,
    // @ts-expect-error a Call is no ToolContext
    @CurrentCall() _call: ToolContext,
  ): void {}

  // @ts-expect-error not a guard
  @UseGuards(NoGuard)
  guarded(): void {}

  // @ts-expect-error a list of texts
  @Roles('staff')
  role(): void {}

  // @ts-expect-error a timer gives nothing
  @Interval(1_000)
  tick(_what: string): void {}
}

export async function transfers(call: Call): Promise<void> {
  // @ts-expect-error nobody asked whether the call can be transferred
  await call.transfer('+390612345678');
  if (call.can('transfer')) {
    await call.transfer('+390612345678');
    await call.say('connected'); // the rest of Call is still there
  } else {
    await call.say('not possible'); // and here too: the else branch is no `never`
    // @ts-expect-error it cannot
    await call.transfer('+390612345678');
  }
  if (!call.can('transfer')) return;
  const maybe: string | undefined = undefined;
  await call.transfer('+390612345678', { summary: maybe });
  await call.end({ say: maybe });
}

describe('compile-time checks', () => {
  it('are checked by the compiler; this file loads', () => {
    expect(typeof transfers).toBe('function');
  });
});
