import { Module, VoiceAgent } from 'callwright';
import { CalendarModule, CalendarTools } from './calendar.module';
import { WeatherModule, WeatherTools } from './weather.module';

/** Takes the calls that ask for `guide`. */
@VoiceAgent({
  name: 'guide',
  systemPrompt: 'You plan trips.',
  greeting: 'Where shall we go?',
  toolSets: [CalendarTools, WeatherTools],
})
export class GuideAgent {}

/** Takes all other calls. */
@VoiceAgent({ name: 'office', default: true, greeting: 'The office, hello.', toolSets: [CalendarTools] })
export class OfficeAgent {}

@Module({
  imports: [CalendarModule, WeatherModule.forRoot({ city: 'Rome' })],
  agents: [GuideAgent, OfficeAgent],
})
export class AppModule {}
