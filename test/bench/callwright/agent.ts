/** The agent of the bench as a user of Callwright writes it. */
import 'callwright';
import { BotText, Call, Injectable, Module, OnEvent, Tool, UserText, VoiceAgent } from 'callwright';
import { book, type Reservation, SAY_TEXT, SYSTEM_PROMPT } from '../agents/booking';
import { BookTable } from './booking.dto';
import { serve } from './serve';

@Injectable()
export class Bookings {
  book(booking: BookTable): Reservation {
    return book(booking);
  }
}

@VoiceAgent({ name: 'bench', default: true, systemPrompt: SYSTEM_PROMPT })
export class BookingAgent {
  #heardCharacters = 0;

  constructor(
    private readonly call: Call,
    private readonly bookings: Bookings,
  ) {}

  @Tool({ name: 'book_table', description: 'Books a table.', kind: 'side_effect', timeoutMs: 8_000 })
  bookTable(booking: BookTable): Reservation {
    return this.bookings.book(booking);
  }

  @OnEvent(BotText)
  botText(event: BotText): void {
    this.#heardCharacters += event.text.length;
  }

  @OnEvent(UserText)
  userText(_event: UserText): void {
    this.#heardCharacters = 0;
    void this.call.say(SAY_TEXT, { wait: false });
  }
}

@Module({ providers: [Bookings], agents: [BookingAgent] })
export class AppModule {}

void serve(AppModule);
