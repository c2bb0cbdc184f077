/**
 * The last ids of something that counts upwards, with gaps and now and then out of order. An id above all others, nearly
 * every one, costs no search.
 */
export class RecentIds {
  readonly #limit: number;
  /** A ring once `limit` ids were seen. */
  #ids: number[] = [];
  #next = 0;
  #highest = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the id is among the last ones; if not, it is from now on. */
  hasSeen(id: number): boolean {
    if (id > this.#highest) this.#highest = id;
    else if (this.#ids.includes(id)) return true;
    // A list that grows takes room for sixteen more at once, and most calls have one or two.
    if (this.#ids.length === 0) this.#ids = [id];
    else this.#ids[this.#next] = id;
    this.#next = this.#next + 1 === this.#limit ? 0 : this.#next + 1;
    return false;
  }
}
