import { ConfigModule, Module } from 'callwright';
import { Env } from './env';
import { Kitchen } from './kitchen';
import { PizzaAgent } from './pizza.agent';
import { PriceList } from './price-list';

@Module({
  imports: [ConfigModule.forRoot({ schema: Env })],
  providers: [Kitchen, PriceList],
  agents: [PizzaAgent],
})
export class AppModule {}
