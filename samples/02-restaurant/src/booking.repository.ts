import { Injectable } from 'callwright';
import { Reservation } from './booking.dto';

/** A guest who called before. */
export interface KnownGuest {
  readonly name: string;
}

/** Bookings and guests in memory; a real restaurant injects one with a database under the same class. */
@Injectable()
export class BookingRepository {
  readonly #byKey = new Map<string, Reservation>();
  readonly #guests = new Map<string, KnownGuest>([['+390612345678', { name: 'Ada' }]]);
  readonly #callNotes = new Map<string, string>();

  /** The reservation that an earlier request with this key made. */
  find(key: string): Reservation | undefined {
    return this.#byKey.get(key);
  }

  save(key: string, reservation: Reservation): void {
    this.#byKey.set(key, reservation);
  }

  /** All reservations, oldest first. */
  all(): Reservation[] {
    return [...this.#byKey.values()];
  }

  guest(phone: string): KnownGuest | undefined {
    return this.#guests.get(phone);
  }

  noteCall(callId: string, note: string): void {
    this.#callNotes.set(callId, note);
  }

  callNote(callId: string): string | undefined {
    return this.#callNotes.get(callId);
  }
}
