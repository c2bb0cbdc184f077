import type { Socket } from 'node:net';
import type { Clock, ClockTimer } from '@callwright/core';

/** How long bytes may wait while the peer takes none of them. */
export const WRITE_TIMEOUT_MS = 2_000;

/**
 * Notices a peer that reads nothing, whatever it sends meanwhile. It costs a timer only while bytes wait that the system
 * did not take at once.
 */
export class WriteWatch {
  readonly #transport: Pick<Socket, 'writableLength' | 'bytesWritten'>;
  readonly #clock: Clock;
  readonly #onStuck: () => void;
  #timer: ClockTimer | undefined;
  #isStopped = false;

  constructor(transport: Pick<Socket, 'writableLength' | 'bytesWritten'>, clock: Clock, onStuck: () => void) {
    this.#transport = transport;
    this.#clock = clock;
    this.#onStuck = onStuck;
  }

  /** Something was written just now. */
  look(): void {
    if (this.#timer || this.#isStopped || this.#transport.writableLength === 0) return;
    const takenBytes = this.#takenBytes;
    this.#timer = this.#clock.setTimer(() => {
      // The loop may have stood still for longer than the limit: what became possible meanwhile comes first.
      this.#clock.defer(() => this.#judge(takenBytes));
    }, WRITE_TIMEOUT_MS);
  }

  /** The socket is gone. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Both counters hold what waits, so that it cancels out. */
  get #takenBytes(): number {
    return this.#transport.bytesWritten - this.#transport.writableLength;
  }

  #judge(takenBytes: number): void {
    if (this.#isStopped) return;
    this.#timer = undefined;
    if (this.#transport.writableLength === 0) return;
    if (this.#takenBytes > takenBytes) this.look();
    else this.#onStuck();
  }
}
