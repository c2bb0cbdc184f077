import { Injectable, ToolError } from 'callwright';
import { type BookTable, Reservation, Seating } from './booking.dto';
import { BookingRepository, type KnownGuest } from './booking.repository';
import { Env } from './env';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

@Injectable()
export class BookingService {
  constructor(
    private readonly repository: BookingRepository,
    private readonly env: Env,
  ) {}

  hours(day: Weekday): string {
    return day === 'monday' ? 'closed' : 'from 18:00 to 23:30';
  }

  async guestOf(phone: string | undefined): Promise<KnownGuest | undefined> {
    return phone === undefined ? undefined : this.repository.guest(phone);
  }

  /** Books once per key: the same key again gives the same reservation. */
  async book(wish: BookTable, key: string): Promise<Reservation> {
    const earlier = this.repository.find(key);
    if (earlier) return earlier;
    const evening = wish.time.toISOString().slice(0, 10);
    const taken = this.repository.all().filter(({ time }) => time.toISOString().startsWith(evening));
    if (taken.length >= this.env.TABLES_PER_EVENING) throw new ToolError('no table left that evening');
    const number = this.repository.all().length + 1;
    const reservation = new Reservation(number, wish.time, wish.partySize, wish.seating ?? Seating.Indoor);
    this.repository.save(key, reservation);
    return reservation;
  }

  async note(callId: string, reason: string): Promise<void> {
    this.repository.noteCall(callId, `ended: ${reason}`);
  }
}
