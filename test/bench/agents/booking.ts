/** The work of the tool, the same in every agent that runs in Node, and the arguments the load sends. */

export const SEATINGS = ['indoor', 'terrace', 'bar'] as const;

/** The arguments of `book_table` as they stand in JSON. */
export interface BookTableArguments {
  readonly date: string;
  readonly time: string;
  readonly partySize: number;
  readonly seating: string;
  readonly guest: { readonly name: string; readonly phone?: string | undefined };
  readonly dishes: readonly { readonly name: string; readonly count: number }[];
}

export interface Reservation {
  readonly reservation: string;
  readonly date: string;
  readonly time: string;
  readonly seats: number;
  readonly seating: string;
  readonly name: string;
  readonly portions: number;
}

export const RESERVATION_PREFIX = '"reservation":"R-';

export const bookTableArguments: BookTableArguments = {
  date: '2026-12-24',
  time: '19:30',
  partySize: 4,
  seating: 'terrace',
  guest: { name: 'Ada Lovelace', phone: '+390612345678' },
  dishes: [
    { name: 'pizza margherita', count: 2 },
    { name: 'tiramisu for two', count: 2 },
  ],
};

/** Books: adds up what was ordered and gives the reservation. */
export function book(booking: BookTableArguments): Reservation {
  let portions = 0;
  for (const dish of booking.dishes) portions += dish.count;
  return {
    reservation: `R-${booking.date}-0042`,
    date: booking.date,
    time: booking.time,
    seats: booking.partySize,
    seating: booking.seating,
    name: booking.guest.name,
    portions,
  };
}

/** What the agents answer to a whole turn of the user. */
export const SAY_TEXT = 'Certainly, a high chair will be at the table.';

export const SYSTEM_PROMPT = 'You take bookings for a restaurant. Be brief.';

/** The declaration of the tool, for the agents that write theirs by hand. */
export const bookTableDeclaration = {
  name: 'book_table',
  description: 'Books a table.',
  kind: 'side_effect',
  timeout_ms: 8_000,
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['date', 'time', 'partySize', 'seating', 'guest', 'dishes'],
    properties: {
      date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
      time: { type: 'string', pattern: '^\\d{2}:\\d{2}$' },
      partySize: { type: 'integer', minimum: 1, maximum: 12 },
      seating: { type: 'string', enum: SEATINGS },
      guest: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          phone: { type: 'string', pattern: '^\\+[1-9]\\d{7,14}$' },
        },
      },
      dishes: {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'count'],
          properties: {
            name: { type: 'string', maxLength: 60 },
            count: { type: 'integer', minimum: 1, maximum: 20 },
          },
        },
      },
    },
  },
} as const;
