import { CallLink } from './call-link';
import { Deadline, type Load } from './load';

/** Calls opened, accepted and ended, some side by side, each followed by the next. */
export class Openings implements Load {
  readonly operation = 'call opened and ended';
  readonly #sideBySide: number;
  #port = 0;

  constructor(sideBySide: number) {
    this.#sideBySide = sideBySide;
  }

  async open(port: number): Promise<void> {
    this.#port = port;
  }

  async run(durationMs: number): Promise<number> {
    const deadline = new Deadline(durationMs);
    return this.#openWhile(() => !deadline.passed);
  }

  /** Opens and ends `calls` calls in all. */
  runCalls(calls: number): Promise<number> {
    let left = calls;
    return this.#openWhile(() => left-- > 0);
  }

  async close(): Promise<void> {
    this.#port = 0;
  }

  async #openWhile(more: () => boolean): Promise<number> {
    let finished = 0;
    const lane = async (): Promise<void> => {
      while (more()) {
        const link = await CallLink.open(this.#port);
        await link.end();
        finished++;
      }
    };
    await Promise.all(Array.from({ length: this.#sideBySide }, lane));
    return finished;
  }
}
