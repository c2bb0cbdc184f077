import {
  type Accept,
  Arg,
  Call,
  type CallEnd,
  type CallStart,
  type OnCallEnd,
  type OnCallStart,
  OnEvent,
  Tool,
  ToolContext,
  UseGuards,
  UserText,
  VoiceAgent,
} from 'callwright';
import { BookTable, type Reservation } from './booking.dto';
import { BookingService, WEEKDAYS, type Weekday } from './booking.service';
import { Env } from './env';
import { KnownCaller } from './known-caller.guard';

@VoiceAgent({
  name: 'luigi',
  systemPrompt: "You are the host of Luigi's, an Italian restaurant. Be brief and warm.",
  greeting: "Luigi's, good evening!",
  resume: true,
})
export class LuigiAgent implements OnCallStart, OnCallEnd {
  constructor(
    private readonly call: Call,
    private readonly bookings: BookingService,
    private readonly env: Env,
  ) {}

  async onCallStart(start: CallStart): Promise<Accept | undefined> {
    const guest = await this.bookings.guestOf(start.caller?.from);
    return guest ? { greeting: `Welcome back, ${guest.name}!` } : undefined;
  }

  @Tool('Opening hours on a weekday.')
  openingHours(@Arg('day', { enum: WEEKDAYS }) day: Weekday): string {
    return this.bookings.hours(day);
  }

  @Tool({ description: 'Books a table.', kind: 'side_effect', confirm: true, timeoutMs: 8_000 })
  @UseGuards(KnownCaller)
  async bookTable(booking: BookTable, tool: ToolContext): Promise<Reservation> {
    await this.call.say('One moment, I am looking at the book.');
    const reservation = await this.bookings.book(booking, tool.idempotencyKey);
    await this.call.updateContext({
      append: [{ role: 'system', text: `Reservation ${reservation.number} is made. Do not book again.` }],
    });
    await this.call.setTools(['openingHours', 'frontDesk']);
    return reservation;
  }

  @Tool({ description: 'Connects the caller with a person.', kind: 'side_effect' })
  async frontDesk(@Arg('concern', { maxLength: 200 }) concern: string): Promise<string> {
    if (!this.call.can('transfer')) return 'Nobody can take the call now: ask for a number to call back.';
    await this.call.transfer(this.env.FRONT_DESK, { mode: 'warm', summary: concern });
    return 'The front desk takes over.';
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (/\b(good)?bye\b/i.test(event.text))
      await this.call.end({ say: 'Goodbye!', reason: 'the caller said goodbye' });
  }

  async onCallEnd(end: CallEnd): Promise<void> {
    await this.bookings.note(this.call.id, end.reason);
  }
}
