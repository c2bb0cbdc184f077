import { Arg, ConfigurableModuleBuilder, Inject, Injectable, Module, Scope, Tool } from 'callwright';

export interface WeatherOptions {
  readonly city: string;
}

// Gives the module `forRoot(options)` and `forRootAsync({ inject, useFactory })`.
const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<WeatherOptions>(
  'Weather',
).build();

@Injectable({ scope: Scope.CALL })
export class WeatherTools {
  constructor(@Inject(MODULE_OPTIONS_TOKEN) private readonly options: WeatherOptions) {}

  @Tool('The weather on a day.')
  weather(@Arg('day') day: string): string {
    return `sunny in ${this.options.city} on ${day}`;
  }
}

@Module({ providers: [WeatherTools], exports: [WeatherTools] })
export class WeatherModule extends ConfigurableModuleClass {}
