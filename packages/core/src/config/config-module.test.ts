import 'reflect-metadata';
import { type DynamicModule, InjectionToken, Module, planContainer } from '@callwright/di';
import {
  IsBoolean,
  IsDate,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { ConfigModule } from './config-module';
import type { Environment } from './environment';

enum Level {
  Low = 'low',
  High = 'high',
}

class Env {
  @IsInt() @Min(1) @Max(65_535) PORT: number = 8_765;
  @IsNumber() RATE!: number;
  @IsBoolean() VERBOSE: boolean = false;
  @IsEnum(Level) LEVEL!: Level;
  @IsString() @MinLength(8) API_KEY!: string;
  @IsOptional() @IsString() NOTE?: string;
  @IsOptional() @IsDate() SINCE?: Date;
}

const GOOD = { RATE: '0.5', LEVEL: 'high', API_KEY: 'correct-horse' };
const SECRET = 'hunter2';

async function planOf(config: DynamicModule, overrides = {}) {
  @Module({})
  class AppModule {}
  return planContainer({ module: AppModule, imports: [config] }, overrides);
}

async function read(environment: Environment): Promise<Env> {
  const plan = await planOf(ConfigModule.forRoot({ schema: Env, environment }));
  expect(plan.problems).toEqual([]);
  return (await plan.instantiate()).get(Env);
}

async function problemOf(config: DynamicModule): Promise<string> {
  const { problems } = await planOf(config);
  return problems.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

describe('the environment by a class', () => {
  test('becomes an instance, with numbers, booleans, enums and dates; defaults where nothing is set', async () => {
    const env = await read({ ...GOOD, SINCE: '2026-12-24T00:00:00Z', UNKNOWN: 'x' });
    expect(env).toBeInstanceOf(Env);
    expect(env).toMatchObject({ PORT: 8_765, RATE: 0.5, VERBOSE: false, LEVEL: Level.High });
    expect(env.SINCE).toEqual(new Date('2026-12-24T00:00:00Z'));
    expect(env).not.toHaveProperty('UNKNOWN');
    expect(await read({ ...GOOD, PORT: '1', VERBOSE: '1' })).toMatchObject({ PORT: 1, VERBOSE: true });
    expect(await read({ ...GOOD, PORT: '65535', VERBOSE: 'false' })).toMatchObject({
      PORT: 65_535,
      VERBOSE: false,
    });
  });

  test('names every missing or bad variable at once, and shows no value', async () => {
    const environment = { PORT: '65536', VERBOSE: 'yes', LEVEL: 'middle', API_KEY: SECRET };
    const message = await problemOf(ConfigModule.forRoot({ schema: Env, environment }));
    expect(message).toContain('RATE is not set');
    expect(message).toContain('PORT must not be greater than 65535');
    expect(message).toContain('VERBOSE must be true, false, 1 or 0');
    expect(message).toContain('LEVEL must be one of low, high');
    expect(message).toContain('API_KEY must be longer than or equal to 8 characters');
    expect(message).not.toContain(SECRET);
    expect(message).not.toContain('middle');
    expect(message.split('\n').length).toBeLessThanOrEqual(6);
  });

  test('shows no value either where a validator would', async () => {
    class Telling {
      @MinLength(20, { message: 'the key $value is too short' }) API_KEY!: string;
    }
    const config = ConfigModule.forRoot({ schema: Telling, environment: { API_KEY: SECRET } });
    expect(await problemOf(config)).toContain('API_KEY is not acceptable');
  });

  test.each(['0x10', '1e3', ' 5', '5 ', '5.0', 'Infinity', 'NaN', '9007199254740993', '+5', ''])(
    'refuses %j for a whole number',
    async (PORT) => {
      const message = await problemOf(ConfigModule.forRoot({ schema: Env, environment: { ...GOOD, PORT } }));
      expect(message).toContain(PORT === '' ? 'PORT is set but empty' : 'PORT must be a whole number');
    },
  );

  test('an empty value is not an unset one: a text is empty then, anything else is a mistake', async () => {
    expect((await read({ ...GOOD, NOTE: '' })).NOTE).toBe('');
    expect((await read({ ...GOOD, NOTE: undefined })).NOTE).toBeUndefined();
    const message = await problemOf(
      ConfigModule.forRoot({ schema: Env, environment: { ...GOOD, VERBOSE: '', API_KEY: '' } }),
    );
    expect(message).toContain('VERBOSE is set but empty');
    expect(message).toContain('API_KEY must be longer');
  });

  test('takes names like those of Object for what they are', async () => {
    class Odd {
      @IsString() toString_!: string;
      @IsOptional() @IsString() constructor_?: string;
    }
    expect(await problemOf(ConfigModule.forRoot({ schema: Odd, environment: {} }))).toContain(
      'toString_ is not set',
    );
  });

  test('is not read at all when a test overrides it', async () => {
    const overrides = [{ provide: Env, useValue: { PORT: 1 } }];
    const plan = await planOf(ConfigModule.forRoot({ schema: Env, environment: {} }), { overrides });
    expect(plan.problems).toEqual([]);
    expect((await plan.instantiate()).get(Env)).toEqual({ PORT: 1 });
  });

  test('needs a class with validators', async () => {
    class Bare {}
    expect(await problemOf(ConfigModule.forRoot({ schema: Bare }))).toContain('CW_CONFIG_SCHEMA_UNUSABLE');
  });

  it('is read anew for each application that is made of its module', async () => {
    const environment = { ...GOOD };
    const config = ConfigModule.forRoot({ schema: Env, environment });
    const values: Env[] = [];
    for (const RATE of ['0.5', '0.7']) {
      environment.RATE = RATE;
      values.push((await (await planOf(config)).instantiate()).get(Env));
    }
    expect(values.map(({ RATE }) => RATE)).toEqual([0.5, 0.7]);
    expect(values[0]).not.toBe(values[1]);
  });
});

describe('the environment by a Standard Schema', () => {
  const CONFIG = new InjectionToken<{ PORT: number; VERBOSE: boolean; API_KEY: string }>('CONFIG');

  test('of zod: converts what it describes and names every fault, values left out', async () => {
    const schema = z.object({
      PORT: z.number().int().max(65_535).default(8_765),
      VERBOSE: z.boolean().default(false),
      API_KEY: z.string().min(8),
    });
    const good = {
      schema,
      token: CONFIG,
      environment: { PORT: '9000', VERBOSE: 'false', API_KEY: 'correct-horse' },
    };
    const plan = await planOf(ConfigModule.forRoot(good));
    const value = (await plan.instantiate()).get(CONFIG);
    expect(value).toEqual({ PORT: 9_000, VERBOSE: false, API_KEY: 'correct-horse' });
    const bad = { ...good, environment: { PORT: 'many', VERBOSE: '' } };
    const message = await problemOf(ConfigModule.forRoot(bad));
    expect(message).toContain('PORT must be a whole number');
    expect(message).toContain('VERBOSE is set but empty');
    expect(message).toContain('API_KEY is not set');
  });

  test('of valibot: the schema converts itself, and what its messages tell of values is left out', async () => {
    const schema = v.object({
      PORT: v.pipe(v.string(), v.transform(Number), v.integer(), v.maxValue(65_535)),
      VERBOSE: v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
      ),
      API_KEY: v.pipe(v.string(), v.minLength(8)),
    });
    const environment = { PORT: '9000', VERBOSE: SECRET, API_KEY: 'correct-horse' };
    const message = await problemOf(ConfigModule.forRoot({ schema, token: CONFIG, environment }));
    expect(message).toContain('VERBOSE is not acceptable');
    expect(message).not.toContain(SECRET);
    const good = { schema, token: CONFIG, environment: { ...environment, VERBOSE: 'true' } };
    const value = (await (await planOf(ConfigModule.forRoot(good))).instantiate()).get(CONFIG);
    expect(value).toEqual({ PORT: 9_000, VERBOSE: true, API_KEY: 'correct-horse' });
  });

  test('needs a token', async () => {
    const options = { schema: z.object({}) } as never;
    expect(await problemOf(ConfigModule.forRoot(options))).toContain('needs a token');
  });
});
