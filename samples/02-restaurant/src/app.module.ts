import { ConfigModule, Module } from 'callwright';
import { BookingRepository } from './booking.repository';
import { BookingService } from './booking.service';
import { Env } from './env';
import { LuigiAgent } from './luigi.agent';

@Module({
  imports: [ConfigModule.forRoot({ schema: Env })],
  providers: [BookingRepository, BookingService],
  agents: [LuigiAgent],
})
export class AppModule {}
