import { Arg, Injectable, Module, Tool, VoiceAgent } from 'callwright';
import { IsInt, IsString, Min } from 'class-validator';

export class Order {
  @IsString() dish!: string;
  @IsInt() @Min(1) count: number = 1;
}

@Injectable()
export class Kitchen {
  readonly orders: Order[] = [];
}

@VoiceAgent({ name: 'default', greeting: 'Good evening!' })
export class OrderAgent {
  constructor(private readonly kitchen: Kitchen) {}

  @Tool('Whether a dish is on the menu.')
  onTheMenu(@Arg('dish') dish: string): boolean {
    return dish !== 'soup';
  }

  @Tool({ description: 'Orders a dish.', kind: 'side_effect' })
  order(order: Order): string {
    this.kitchen.orders.push(order);
    return `${order.count} ${order.dish}`;
  }
}

@Module({ providers: [Kitchen], agents: [OrderAgent] })
export class OrderModule {}
