import { Injectable, ToolError } from 'callwright';
import { Env } from './env';

const PRICE = 9;

@Injectable()
export class PriceList {
  constructor(private readonly env: Env) {}

  priceOf(pizzas: number): string {
    if (pizzas > this.env.MAX_PIZZAS) throw new ToolError(`at most ${this.env.MAX_PIZZAS} pizzas an order`);
    return `${pizzas * PRICE} ${this.env.CURRENCY}`;
  }
}
