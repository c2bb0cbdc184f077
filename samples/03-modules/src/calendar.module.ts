import { Arg, Call, Inject, Injectable, InjectionToken, Module, Scope, Tool, ToolContext } from 'callwright';

/** Where days off come from. An interface has no value at run time, so it is injected by a token. */
export interface DaysOff {
  isOff(day: string): boolean;
}
export const DAYS_OFF = new InjectionToken<DaysOff>('DAYS_OFF');

/** One for the whole application: what one call books, the next one sees. */
@Injectable()
export class Calendar {
  readonly #bookings = new Map<string, string>();

  constructor(@Inject(DAYS_OFF) private readonly daysOff: DaysOff) {}

  isFree(day: string): boolean {
    return !this.daysOff.isOff(day) && !this.#bookings.has(day);
  }

  book(day: string, by: string): boolean {
    if (!this.isFree(day)) return false;
    this.#bookings.set(day, by);
    return true;
  }
}

/** One for each call, with the call's own `Call`. Agents take it as a tool set. */
@Injectable({ scope: Scope.CALL })
export class CalendarTools {
  constructor(
    private readonly calendar: Calendar,
    private readonly call: Call,
  ) {}

  @Tool('Whether a day is free.')
  isFree(@Arg('day', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) day: string): boolean {
    return this.calendar.isFree(day);
  }

  @Tool({ description: 'Books a day.', kind: 'side_effect', confirm: true })
  bookDay(@Arg('day', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) day: string, _tool: ToolContext): string {
    return this.calendar.book(day, this.call.id) ? 'booked' : 'the day is taken';
  }
}

@Module({
  providers: [
    Calendar,
    CalendarTools,
    { provide: DAYS_OFF, useValue: { isOff: (day: string) => day.endsWith('-12-25') } },
  ],
  exports: [Calendar, CalendarTools],
})
export class CalendarModule {}
