/** The agent of the bench with everything a careful program puts around a tool: guard, interceptor, timeout, signal. */
import 'callwright';
import {
  BotText,
  Call,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type Interceptor,
  Module,
  type Next,
  OnEvent,
  Tool,
  ToolContext,
  UseGuards,
  UseInterceptors,
  UserText,
  VoiceAgent,
} from 'callwright';
import { book, type Reservation, SAY_TEXT, SYSTEM_PROMPT } from '../agents/booking';
import { BookTable } from './booking.dto';
import { serve } from './serve';

@Injectable()
class KnownCaller implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.call.caller?.from !== undefined;
  }
}

@Injectable()
class Timing implements Interceptor {
  #totalMs = 0;

  async intercept(_context: ExecutionContext, next: Next): Promise<unknown> {
    const startedMs = performance.now();
    const result = await next();
    this.#totalMs += performance.now() - startedMs;
    return result;
  }
}

@Injectable()
class Bookings {
  async book(booking: BookTable, signal: AbortSignal): Promise<Reservation> {
    signal.throwIfAborted();
    return book(booking);
  }
}

@VoiceAgent({ name: 'bench', default: true, systemPrompt: SYSTEM_PROMPT })
class BookingAgent {
  #heardCharacters = 0;

  constructor(
    private readonly call: Call,
    private readonly bookings: Bookings,
  ) {}

  @Tool({ name: 'book_table', description: 'Books a table.', kind: 'side_effect', timeoutMs: 8_000 })
  @UseGuards(KnownCaller)
  @UseInterceptors(Timing)
  bookTable(booking: BookTable, tool: ToolContext): Promise<Reservation> {
    return this.bookings.book(booking, tool.signal);
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

@Module({ providers: [Bookings, KnownCaller, Timing], agents: [BookingAgent] })
class AppModule {}

void serve(AppModule);
