import 'reflect-metadata';
import { type Class, Injectable } from '@callwright/di';
import { IsDate, IsString } from 'class-validator';
import * as v from 'valibot';
import { z } from 'zod';
import { Arg, Args } from './arg';
import { Call } from './call';
import { liveCall, sessionOf, type TestCall } from './call-session.test-support';
import { UsePipes } from './enhancers';
import { UserText } from './events';
import { ToolError } from './failures';
import { CallerIdentity } from './link';
import { OnEvent } from './on-event';
import { CurrentCall, CurrentTool, createParamDecorator } from './parameter-decorators';
import type { Pipe } from './pipe';
import { DefaultValuePipe } from './pipes/default-value';
import { ParseDatePipe } from './pipes/parse-date';
import { ParseE164Pipe } from './pipes/parse-e164';
import { TrimPipe } from './pipes/trim';
import { Tool } from './tool';
import type { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

async function answer(
  agent: Class,
  args: Record<string, unknown>,
  call?: TestCall,
): Promise<string | undefined> {
  const live = call ?? (await liveCall(agent));
  live.tool('act', args);
  await live.settle();
  return live.link.answers.at(-1)?.[1];
}

const CallerNumber = createParamDecorator((_input: undefined, context) => context.call.caller?.from);
const Later = createParamDecorator(async (input: string, context) => `${input} ${context.kind}`);

describe('a custom parameter', () => {
  @VoiceAgent({ name: 'desk' })
  class Agent {
    heard = '';
    @Tool('Acts.')
    act(
      @Arg('day') day: string,
      @CallerNumber() from: string | undefined,
      @Later('late', new TrimPipe()) late: string,
    ) {
      return [day, from, late];
    }
    @OnEvent(UserText)
    hear(event: UserText, @Later('heard') late: string, call: Call): void {
      this.heard = `${event.text}, ${late}, ${call.agentName}`;
    }
  }

  test('is injected, may be waited for, and is no part of the schema', async () => {
    const caller = new CallerIdentity('sip', 'c1', '+390612345678', undefined, false);
    const call = await liveCall(Agent, { caller });
    expect(await answer(Agent, { day: 'monday' }, call)).toBe('["monday","+390612345678","late tool"]');
    const parameters = call.session.findTool('act')?.plan.declaration.parameters;
    expect(Object.keys((parameters?.properties ?? {}) as object)).toEqual(['day']);
  });

  test('works in event handlers, beside the call', async () => {
    const call = await liveCall(Agent);
    call.session.handleEvent(new UserText(1, 'hello'), 1);
    await call.settle();
    expect((call.agent as Agent).heard).toBe('hello, heard event, test');
  });

  test('that throws is a failure of the tool, and the method does not begin', async () => {
    let runs = 0;
    const Failing = createParamDecorator((): string => {
      throw new ToolError('who are you?');
    });
    @VoiceAgent({ name: 'desk' })
    class Refusing {
      @Tool('Acts.')
      act(@Failing() _who: string): void {
        runs += 1;
      }
    }
    expect([await answer(Refusing, {}), runs]).toEqual(['error: who are you?', 0]);
  });
});

describe('a build without emitted types', () => {
  test('says with decorators what is injected', async () => {
    // What a compiler without metadata leaves: the decorators alone.
    class Agent {
      act(tool: ToolContext, call: Call): string {
        return `${tool.name} ${call.agentName}`;
      }
    }
    CurrentTool()(Agent.prototype, 'act', 0 as never);
    CurrentCall()(Agent.prototype, 'act', 1 as never);
    Tool('Acts.')(Agent.prototype, 'act', Object.getOwnPropertyDescriptor(Agent.prototype, 'act') as never);
    VoiceAgent({ name: 'desk' })(Agent);
    expect(await answer(Agent, {})).toBe('"act test"');
  });
});

describe('arguments that the program itself cannot read', () => {
  test('are answered without a word of the exception; the log has its name', async () => {
    class Guest {
      @IsString() name: string = '';
      constructor() {
        if (Guest.isBroken) throw new RangeError('+390612345678');
      }
      static isBroken = false;
    }
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      act(_guest: Guest): void {}
    }
    const call = await liveCall(Agent);
    Guest.isBroken = true;
    expect(await answer(Agent, { name: 'Ada' }, call)).toBe('error: the arguments could not be read');
    expect(call.log.at(-1)?.fields).toMatchObject({ tool: 'Agent.act', error: { name: 'RangeError' } });
    expect(JSON.stringify(call.log)).not.toContain('+390612345678');
  });
});

describe('pipes', () => {
  test('of one parameter change its value, and refuse it with a text for the model', async () => {
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      act(
        @Arg('phone', {}, ParseE164Pipe) phone: string,
        @Arg('day', { optional: true, type: 'string' }, new DefaultValuePipe('2026-01-01'), ParseDatePipe)
        day: Date,
      ): string {
        return `${phone} ${day.toISOString()}`;
      }
    }
    expect(await answer(Agent, { phone: '0039 06 123-4567' })).toBe(
      '"+39061234567 2026-01-01T00:00:00.000Z"',
    );
    const refusal = await answer(Agent, { phone: 'call me' });
    expect(refusal).toBe('error: phone must be a telephone number with its country code');
  });

  test('of a method work on each argument, or on the whole class of arguments', async () => {
    class Guest {
      @IsString() name!: string;
      @IsDate() day!: Date;
    }
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      @UsePipes(TrimPipe)
      act(guest: Guest): string {
        return `${guest.name}|${guest instanceof Guest}`;
      }
    }
    const day = '2026-12-24T19:30:00+01:00';
    expect(await answer(Agent, { name: '  Ada ', day })).toBe('"Ada|true"');
    expect(await answer(Agent, { name: '   ', day })).toBe('error: name is blank');
  });

  test('may be classes of the container, may wait, and are told which parameter it is', async () => {
    const targets: unknown[] = [];
    @Injectable()
    class Twice implements Pipe<string, string> {
      async transform(value: string, target: unknown): Promise<string> {
        targets.push(target);
        return value + value;
      }
    }
    @VoiceAgent({ name: 'desk' })
    class Agent {
      @Tool('Acts.')
      act(@Arg('word', {}, Twice, Twice) word: string): string {
        return word;
      }
    }
    expect(await answer(Agent, { word: 'ha' })).toBe('"hahahaha"');
    const target = { source: 'argument', name: 'word', type: String, where: 'Agent.act, parameter 0' };
    expect(targets).toEqual([target, target]);
  });
});

describe('TrimPipe', () => {
  const target = { source: 'argument', name: 'x', type: String, where: '' } as const;
  test.each([
    [' a ', 'a'],
    ['', ''],
    [
      [' a', 'b '],
      ['a', 'b'],
    ],
    [7, 7],
    [undefined, undefined],
    [null, null],
  ])('%j becomes %j', (value, expected) => {
    expect(new TrimPipe().transform(value, target)).toEqual(expected);
  });
});

describe('DefaultValuePipe', () => {
  test('stands in for what was left out only', () => {
    const pipe = new DefaultValuePipe<unknown>(2);
    expect(['', 0, false, null, undefined].map((value) => pipe.transform(value))).toEqual([
      '',
      0,
      false,
      null,
      2,
    ]);
    expect(new DefaultValuePipe(() => 'made').transform(undefined)).toBe('made');
  });
});

describe('ParseE164Pipe', () => {
  const target = { source: 'argument', name: 'phone', type: String, where: '' } as const;
  const parse = (value: unknown, countryCode?: string) =>
    new ParseE164Pipe({ countryCode }).transform(value as string, target);

  test.each([
    ['+39 06 123-4567', '+39061234567'],
    ['0044 (20) 7946 0958', '+442079460958'],
    ['+12345678', '+12345678'],
    ['+123456789012345', '+123456789012345'],
    [undefined, undefined],
  ])('%j is %j', (value, number) => {
    expect(parse(value)).toBe(number);
  });

  test.each([
    '',
    '+',
    '+1234567',
    '+1234567890123456',
    '+0612345678',
    '061234567',
    '+39x061234567',
    7,
    null,
    '1'.repeat(65),
  ])('refuses %j without repeating it', (value) => {
    expect(() => parse(value)).toThrow(
      new ToolError('phone must be a telephone number with its country code'),
    );
  });

  test('takes national numbers with a country code', () => {
    expect(parse('0171 2345678', '+49')).toBe('+491712345678');
    expect(() => new ParseE164Pipe({ countryCode: '39' })).toThrow(TypeError);
  });
});

describe('ParseDatePipe', () => {
  const target = { source: 'argument', name: 'day', type: Date, where: '' } as const;
  const parse = (value: unknown) => new ParseDatePipe().transform(value as string, target);

  test.each([
    ['2026-12-24', '2026-12-24T00:00:00.000Z'],
    ['2026-12-24T19:30+01:00', '2026-12-24T18:30:00.000Z'],
    ['2026-12-24 19:30:15.5Z', '2026-12-24T19:30:15.500Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (value, iso) => {
    expect(parse(value).toISOString()).toBe(iso);
  });

  test.each([
    '',
    'tomorrow',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-12-24T19:30',
    '24.12.2026',
    7,
    null,
  ])('refuses %j', (value) => {
    expect(() => parse(value)).toThrow(ToolError);
  });
});

describe('@Args with a schema of the Standard Schema kind', () => {
  const Booking = z.object({
    guests: z.number().int().min(1).max(12),
    name: z.string().trim().default('guest'),
  });

  @VoiceAgent({ name: 'desk' })
  class Agent {
    @Tool('Acts.')
    act(@Args(Booking) booking: z.infer<typeof Booking>): string {
      return `${booking.name} ${booking.guests}`;
    }
  }

  test('tells its JSON Schema to the model and binds by it', async () => {
    const call = await liveCall(Agent);
    expect(await answer(Agent, { guests: 2 }, call)).toBe('"guest 2"');
    const parameters = call.session.findTool('act')?.plan.declaration.parameters;
    expect(parameters).toMatchObject({ type: 'object', required: ['guests'] });
    expect(parameters).not.toHaveProperty('$schema');
  });

  test('says what is wrong, one short line each', async () => {
    expect(await answer(Agent, { guests: 'two', name: 7 })).toMatch(/^error: guests: .*\nname: .*$/);
  });

  test('takes a JSON Schema beside a schema that gives none', async () => {
    const jsonSchema = { type: 'object', properties: { guests: { type: 'integer' } } };
    const bare = {
      '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
    } as const;
    @VoiceAgent({ name: 'desk' })
    class Bare {
      @Tool('Acts.')
      act(@Args(bare, { jsonSchema }) value: unknown): unknown {
        return value;
      }
    }
    expect(await answer(Bare, { guests: 2 })).toBe('{"guests":2}');
    @VoiceAgent({ name: 'desk' })
    class Without {
      @Tool('Acts.')
      act(@Args(bare) value: unknown): unknown {
        return value;
      }
    }
    await expect(sessionOf(Without)).rejects.toThrow('CW_TOOL_SCHEMA_UNUSABLE');
  });

  test('takes one of valibot, with its JSON Schema beside it', async () => {
    const Guests = v.object({ guests: v.pipe(v.number(), v.minValue(1)) });
    const jsonSchema = { type: 'object', properties: { guests: { type: 'number', minimum: 1 } } };
    @VoiceAgent({ name: 'desk' })
    class OfValibot {
      @Tool('Acts.')
      act(@Args(Guests, { jsonSchema }) wish: v.InferOutput<typeof Guests>): number {
        return wish.guests;
      }
    }
    expect(await answer(OfValibot, { guests: 2 })).toBe('2');
    expect(await answer(OfValibot, { guests: 0 })).toMatch(/^error: guests: /);
  });

  test('refuses a schema that wants to wait', async () => {
    const slow = z.object({}).refine(async () => true);
    @VoiceAgent({ name: 'desk' })
    class Slow {
      @Tool('Acts.')
      act(@Args(slow) _value: object): void {}
    }
    const call = await liveCall(Slow);
    expect(await answer(Slow, {}, call)).toBe('error: tool failed: CallwrightError');
  });
});
