import { Injectable } from 'callwright';
import { Env } from './env';

/** The kitchen's own system, somewhere in the network. */
@Injectable()
export class Kitchen {
  constructor(private readonly env: Env) {}

  /** Orders once per key. */
  async order(pizzas: number, key: string): Promise<number> {
    const response = await fetch('https://kitchen.example/orders', {
      method: 'POST',
      headers: { authorization: `Bearer ${this.env.KITCHEN_KEY}`, 'idempotency-key': key },
      body: JSON.stringify({ pizzas }),
    });
    const { minutes } = (await response.json()) as { minutes: number };
    return minutes;
  }
}
