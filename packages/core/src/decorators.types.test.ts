import { Inject, InjectionToken } from '@callwright/di';
import { Arg } from './arg';
import type { Call } from './call';
import { BotText, type TurnBotEnded, type TurnUserStarted, UserText } from './events';
import { OnEvent } from './on-event';
import { Tool } from './tool';

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
