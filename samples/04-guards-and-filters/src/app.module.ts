import { APP_FILTER, APP_INTERCEPTOR, Module, TimingInterceptor } from 'callwright';
import { DeskAgent } from './desk.agent';
import { Ledger, LedgerFilter } from './ledger';
import { Identity } from './verified';

@Module({
  providers: [
    Ledger,
    Identity,
    // Guards of decorators need not be listed; these two stand around everything in the application.
    { provide: APP_FILTER, useClass: LedgerFilter },
    { provide: APP_INTERCEPTOR, useValue: new TimingInterceptor({ level: 'debug' }) },
  ],
  agents: [DeskAgent],
})
export class AppModule {}
