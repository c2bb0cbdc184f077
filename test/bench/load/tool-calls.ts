import { bookTableArguments, RESERVATION_PREFIX } from '../agents/booking';
import type { CallLink } from './call-link';
import { endCalls, openCalls } from './calls';
import { Deadline, type Load } from './load';

const ARGUMENTS_JSON = JSON.stringify(bookTableArguments);

/**
 * A call makes so many tool calls and is then replaced by a new one: far more than a caller asks for, and few enough
 * that what an agent remembers of a call stays of a size that occurs.
 */
const TOOL_CALLS_OF_ONE_CALL = 128;

/** Calls of the tool `book_table`: each call of the phone keeps `outstanding` of them running. */
export class ToolCalls implements Load {
  readonly operation = 'tool call';
  readonly #calls: number;
  readonly #outstanding: number;
  #links: CallLink[] = [];
  #lastToolId = 0;

  constructor(calls: number, outstanding: number) {
    this.#calls = calls;
    this.#outstanding = outstanding;
  }

  async open(port: number): Promise<void> {
    this.#links = await openCalls(port, this.#calls);
  }

  run(durationMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(durationMs);
      let finished = 0;
      let running = this.#calls * this.#outstanding;
      for (const link of this.#links) {
        let left = TOOL_CALLS_OF_ONE_CALL - this.#outstanding;
        link.onMessage((text) => {
          if (!isReservation(text)) return reject(new Error(`book_table was answered with: ${text}`));
          finished++;
          if (!deadline.passed && left-- > 0) this.#ask(link);
          else if (--running === 0) resolve(finished);
        });
        for (let at = 0; at < this.#outstanding; at++) this.#ask(link);
      }
    });
  }

  /** One tool call on every call. */
  async runOnce(): Promise<void> {
    for (const link of this.#links) {
      await new Promise<void>((resolve, reject) => {
        link.onMessage((text) => {
          if (isReservation(text)) resolve();
          else reject(new Error(`book_table was answered with: ${text}`));
        });
        this.#ask(link);
      });
    }
  }

  async close(): Promise<void> {
    await endCalls(this.#links);
    this.#links = [];
  }

  #ask(link: CallLink): void {
    link.send(toolCall(link.nextSeq(), link.ageMs(), ++this.#lastToolId));
  }
}

function isReservation(text: string): boolean {
  return text.includes('"tool.result"') && text.includes(RESERVATION_PREFIX);
}

/** One `tool.call` of about 420 bytes. Every one has a key of its own: a repeated one would not run again. */
export function toolCall(seq: number, ageMs: number, id: number): string {
  const key = id.toString(16).padStart(16, '0');
  return (
    `{"type":"tool.call","seq":${seq},"t_ms":${ageMs},"id":${id},"call_id":"call_${key}","name":"book_table",` +
    `"arguments":${ARGUMENTS_JSON},"kind":"side_effect","epoch":3,"idempotency_key":"${key}","timeout_ms":8000}`
  );
}
