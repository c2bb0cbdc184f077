import { Module } from 'callwright';
import { BookingRepository } from './booking.repository';
import { BookingService } from './booking.service';
import { LuigiAgent } from './luigi.agent';

@Module({ providers: [BookingRepository, BookingService], agents: [LuigiAgent] })
export class AppModule {}
