import { Catch, type ExceptionFilter, Injectable } from 'callwright';

export class LedgerClosed extends Error {}

/** Balances in memory; it closes for the night. */
@Injectable()
export class Ledger {
  isOpen = true;
  reads = 0;
  readonly #balances = new Map([['+390612345678', 1_250]]);

  balanceOf(number: string): number {
    this.#check();
    this.reads += 1;
    return this.#balances.get(number) ?? 0;
  }

  send(from: string, to: string, amount: number): void {
    this.#check();
    this.#balances.set(from, this.balanceOf(from) - amount);
    this.#balances.set(to, this.balanceOf(to) + amount);
  }

  #check(): void {
    // A message like this is for developers; the log leaves it out, as it could hold anything of a caller.
    if (!this.isOpen) throw new LedgerClosed('ledger shard 7 is read-only since 22:00');
  }
}

/** Two audiences: the model reads this sentence, the log gets the exception's name and frames. */
@Catch(LedgerClosed)
@Injectable()
export class LedgerFilter implements ExceptionFilter<LedgerClosed> {
  catch(): string {
    return 'the books are closed for the night, please call again in the morning';
  }
}
