import { bootstrap } from 'callwright';
import { AppModule } from './app.module';

void bootstrap(AppModule);
