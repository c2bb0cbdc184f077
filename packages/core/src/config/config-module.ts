import { checkedFactory, type DynamicModule, type InjectionToken, Module } from '@callwright/di';
import { isDtoClass, planDto } from '@callwright/schema';
import type { Class } from '../class-types';
import { coreErrors } from '../errors';
import type { Problem } from '../problem';
import { isStandardSchema, type StandardSchema } from '../standard-schema';
import type { Environment, EnvironmentReading } from './environment';
import { readClass, readStandard } from './read-environment';

/** Where variables come from, and who sees what became of them. */
export interface CommonConfigOptions {
  /** @default process.env, read when the application is made */
  readonly environment?: Environment | undefined;
  /** Whether every module may inject it. @default true */
  readonly global?: boolean | undefined;
}

/** A class whose properties are the variables; inject it by itself. */
export interface ClassConfigOptions<T extends object> extends CommonConfigOptions {
  readonly schema: Class<T>;
}

/** A schema of the Standard Schema kind (zod, valibot, …); inject its value by the token. */
export interface StandardConfigOptions<T> extends CommonConfigOptions {
  readonly schema: StandardSchema<unknown, T>;
  readonly token: InjectionToken<T>;
}

/**
 * The environment as one typed, validated object. Everything that is missing or bad is named at once, when the application
 * starts; values are never shown.
 *
 * - Texts become what the schema says: numbers (`8080`, `0.5`), booleans (`true`, `false`, `1`, `0`), values of enums, dates. Exactly
 *   that, or it is a mistake.
 * - A variable that is not set gets the property's default, or is missing. One that is set but empty (`PORT=`) is
 *   given: an empty text for a text, a mistake for everything else. It never gets the default.
 *
 * @example
 * ```ts
 * import { ConfigModule, Injectable, Module } from 'callwright';
 * import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
 *
 * export class Env {
 *   @IsInt() @Min(1) @Max(20) MAX_PARTY: number = 12;
 *   @IsOptional() @IsString() MENU_URL?: string;
 * }
 *
 * @Injectable()
 * export class BookingService {
 *   constructor(private readonly env: Env) {}
 *   fits(guests: number): boolean {
 *     return guests <= this.env.MAX_PARTY;
 *   }
 * }
 *
 * @Module({ imports: [ConfigModule.forRoot({ schema: Env })], providers: [BookingService] })
 * export class AppModule {}
 * ```
 */
@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module is a class, also where nothing of it is made
export class ConfigModule {
  static forRoot<T extends object>(options: ClassConfigOptions<T>): DynamicModule;
  static forRoot<T>(options: StandardConfigOptions<T>): DynamicModule;
  static forRoot(options: ClassConfigOptions<object> | StandardConfigOptions<unknown>): DynamicModule {
    const source = sourceOf(options);
    const read = (): EnvironmentReading<unknown> => source.read(options.environment ?? process.env);
    const create = (): unknown => {
      const result = read();
      // With faults there is a problem, and no container is made.
      return 'value' in result ? result.value : undefined;
    };
    // Read anew each time: one module may be part of several applications, as in tests.
    const check = (): readonly Problem[] => {
      const problems = source.problems();
      if (problems.length > 0) return problems;
      const { faults } = read();
      return faults ? [configProblem(source.name, faults)] : [];
    };
    return {
      module: ConfigModule,
      global: options.global ?? true,
      providers: [{ provide: source.token, useFactory: checkedFactory(create, check) }],
      exports: [source.token],
    };
  }
}

/** A schema of either kind. */
interface ConfigSource {
  readonly name: string;
  readonly token: InjectionToken<unknown> | (abstract new (...args: never[]) => unknown);
  /** What is wrong with the schema itself. */
  problems(): readonly Problem[];
  read(environment: Environment): EnvironmentReading<unknown>;
}

function sourceOf(options: ClassConfigOptions<object> | StandardConfigOptions<unknown>): ConfigSource {
  const { schema } = options;
  if ('token' in options && isStandardSchema(schema)) {
    const { token } = options;
    return {
      name: token.description,
      token,
      problems: () => [],
      read: (environment) => readStandard(schema, environment),
    };
  }
  const type = schema as Class<object>; // the other kind; plain JavaScript may give anything, which is reported
  const name = typeof type === 'function' ? type.name : String(type);
  return {
    name,
    token: typeof type === 'function' ? type : ConfigModule,
    problems: () => classProblems(type, name),
    read: (environment) => readClass(type, environment),
  };
}

function classProblems(type: Class<object>, name: string): readonly Problem[] {
  if (isStandardSchema(type)) return [unusable(name, 'a Standard Schema needs a token to be injected by')];
  if (!isDtoClass(type)) return [unusable(name, 'it is no class whose properties have validators')];
  const known = type as Parameters<typeof planDto>[0]; // it has properties, so it can be constructed or says why not
  return planDto(known, { where: 'ConfigModule' }).problems;
}

function unusable(schema: string, why: string): Problem {
  const message = coreErrors.CW_CONFIG_SCHEMA_UNUSABLE({ schema, why });
  return { code: 'CW_CONFIG_SCHEMA_UNUSABLE', message };
}

function configProblem(schema: string, faults: readonly { name: string; why: string }[]): Problem {
  const variables = faults.map(({ name, why }) => `${name} ${why}`);
  return { code: 'CW_CONFIG_INVALID', message: coreErrors.CW_CONFIG_INVALID({ schema, variables }) };
}
