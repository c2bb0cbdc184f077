import { Arg, Call, Interval, Tool, ToolContext, ToolError, VoiceAgent } from 'callwright';
import { Env } from './env';
import { Kitchen } from './kitchen';
import { PriceList } from './price-list';

@VoiceAgent({ name: 'pizza', systemPrompt: 'You take orders for pizza.', greeting: 'Pizza to go, hello!' })
export class PizzaAgent {
  constructor(
    private readonly call: Call,
    private readonly prices: PriceList,
    private readonly kitchen: Kitchen,
    private readonly env: Env,
  ) {}

  @Tool('What so many pizzas cost.')
  price(@Arg('pizzas', { type: 'integer', min: 1 }) pizzas: number): string {
    return this.prices.priceOf(pizzas);
  }

  @Tool({ description: 'Orders pizzas.', kind: 'side_effect', confirm: true })
  async order(
    @Arg('pizzas', { type: 'integer', min: 1 }) pizzas: number,
    tool: ToolContext,
  ): Promise<string> {
    if (!this.env.TAKES_ORDERS) throw new ToolError('the kitchen is closed');
    const price = this.prices.priceOf(pizzas);
    const minutes = await this.kitchen.order(pizzas, tool.idempotencyKey);
    return `${price}, ready in ${minutes} minutes`;
  }

  /** Ends with the call. */
  @Interval(120_000)
  async hurry(): Promise<void> {
    await this.call.say('Others are waiting for the line.');
  }
}
