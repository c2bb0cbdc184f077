import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Lines that wait for the ones before them; more are left unread until there is room. */
const MAX_WAITING = 1_000;

/** The lines of a script, one after another, however slowly they are taken. */
export class ScriptLines {
  readonly #lines: Interface;
  readonly #waiting: string[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(input: Readable) {
    this.#lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    this.#lines.on('line', (line) => {
      this.#waiting.push(line);
      if (this.#waiting.length >= MAX_WAITING && !this.#isOver) this.#lines.pause();
      this.#wake();
    });
    this.#lines.on('close', () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  /** The next line; undefined when there are no more. */
  async next(): Promise<string | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const line = this.#waiting.shift();
    if (!this.#isOver && this.#waiting.length < MAX_WAITING) this.#lines.resume();
    return line;
  }

  /** Reads no further: {@link next} gives undefined. */
  close(): void {
    this.#waiting.length = 0;
    this.#lines.close();
  }
}
