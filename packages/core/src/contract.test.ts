import { Module, planContainer } from '@callwright/di';
import { IsString } from 'class-validator';
import { CALL_INPUTS } from './agent-plan';
import { readAgents } from './agents-reading';
import { Arg } from './arg';
import { Call } from './call';
import type { Class } from './class-types';
import { UserText } from './events';
import { Logger, silentSink } from './logger';
import { OnEvent } from './on-event';
import { Tool } from './tool';
import { ToolContext } from './tool-context';
import { VoiceAgent } from './voice-agent';

async function reading(...agents: Class[]) {
  @Module({})
  class TestModule {}
  const plan = await planContainer(
    { module: TestModule, agents: agents as never },
    { callInputs: CALL_INPUTS, globals: [{ provide: Logger, useValue: new Logger({ sink: silentSink }) }] },
  );
  return readAgents(plan, {});
}

async function codes(...agents: Class[]): Promise<string[]> {
  return (await reading(...agents)).problems.map(({ code }) => code);
}

class Wish {
  @IsString() dish!: string;
}

class Undecorated {
  dish!: string;
}

describe('a contract', () => {
  it('reports everything that is wrong with an agent at once', async () => {
    @VoiceAgent({ name: 'bad name', greeting: ' ', context: [{ role: 'bot' as never, text: 'x' }] })
    class Bad {
      @Tool('')
      nameless(): void {}
      @Tool({ description: 'x', name: 'a.b', kind: 'read_only' })
      illegal(): void {}
      @Tool({ description: 'x', name: 'confirm_pending', kind: 'side_effect' })
      reserved(): void {}
      @Tool({ description: 'x', name: 'twice', kind: 'read_only' })
      first(): void {}
      @Tool({ description: 'x', name: 'twice', kind: 'read_only' })
      second(): void {}
      @Tool({ description: 'x', kind: 'read_only', timeoutMs: 30_001, fillerAfterMs: -1 })
      times(): void {}
      @OnEvent('user.txt' as never)
      unknownEvent(_event: UserText): void {}
    }
    const found = await codes(Bad);
    expect(found).toEqual(
      expect.arrayContaining([
        'CW_AGENT_NAME_INVALID',
        'CW_AGENT_OPTION_INVALID',
        'CW_TOOL_DESCRIPTION_MISSING',
        'CW_TOOL_NAME_INVALID',
        'CW_TOOL_NAME_RESERVED',
        'CW_TOOL_NAME_DUPLICATE',
        'CW_TOOL_OPTION_INVALID',
        'CW_EVENT_UNKNOWN',
      ]),
    );
    expect(found.filter((code) => code === 'CW_TOOL_OPTION_INVALID')).toHaveLength(2);
    expect(found.filter((code) => code === 'CW_AGENT_OPTION_INVALID')).toHaveLength(2);
  });

  it('suggests the nearest event', async () => {
    @VoiceAgent({ name: 'near' })
    class Near {
      @OnEvent('user.txt' as never)
      heard(_event: UserText): void {}
    }
    const { problems } = await reading(Near);
    expect(problems[0]?.message).toContain('Nearest: user.text');
  });

  it('refuses options that the kind of tool does not have, also without a compiler', async () => {
    @VoiceAgent({ name: 'options' })
    class Options {
      @Tool({ description: 'x', kind: 'read_only', confirm: true } as never)
      confirmedRead(): void {}
    }
    expect(await codes(Options)).toEqual(['CW_TOOL_OPTION_INVALID']);
  });

  it.each([
    [64, []],
    [65, ['CW_TOOL_COUNT']],
  ])('with %d tools has the problems %j', async (count, expected) => {
    @VoiceAgent({ name: 'many' })
    class Many {}
    for (let index = 0; index < count; index++) {
      const key = `tool${index}`;
      Object.defineProperty(Many.prototype, key, { value: () => undefined, configurable: true });
      Tool('x')(Many.prototype, key, {});
    }
    expect(await codes(Many)).toEqual(expected);
  });

  it('refuses values that plain JavaScript may give and that would be silently without effect, or taken for true', async () => {
    const odd = { resume: 'yes', default: 1 } as unknown as object;
    const oddTool = {
      kind: 'side_effect',
      description: 'x',
      confirm: 'no',
      repeatable: 0,
      reconcile: 'later',
    };
    @VoiceAgent({ name: 'odd', ...odd })
    class Odd {
      @Tool(oddTool as never)
      a(): void {}
    }
    expect(await codes(Odd)).toEqual([
      'CW_AGENT_OPTION_INVALID',
      'CW_AGENT_OPTION_INVALID',
      'CW_TOOL_OPTION_INVALID',
      'CW_TOOL_OPTION_INVALID',
      'CW_TOOL_OPTION_INVALID',
    ]);
  });

  it('needs one way to the arguments: one class, or named values', async () => {
    @VoiceAgent({ name: 'arguments' })
    class Arguments {
      @Tool('x')
      mixed(_wish: Wish, @Arg('more') _more: string): void {}
      @Tool('x')
      unknown(_wish: Undecorated): void {}
      @Tool('x')
      unnamed(_name: string): void {}
      @Tool('x')
      opaque(_value: unknown): void {}
      @Tool('x')
      fine(_wish: Wish, _tool: ToolContext, _call: Call): void {}
      @Tool('x')
      alsoFine(@Arg('a') _a: string, _call: Call, @Arg('b') _b: number): void {}
    }
    const { problems } = await reading(Arguments);
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'CW_TOOL_PARAMETERS_MIXED',
      'CW_TOOL_PARAMETER_OPAQUE',
      'CW_TOOL_PARAMETER_UNKNOWN',
      'CW_TOOL_PARAMETER_UNKNOWN',
    ]);
    expect(problems.find(({ message }) => message.includes('Undecorated'))?.message).toContain(
      'Arguments.unknown, parameter 0',
    );
  });

  it('tells a missing emitter from a metadata library that came too late', async () => {
    class NoEmitter {
      wish(_wish: Wish): void {}
    }
    Tool('x')(NoEmitter.prototype, 'wish', {});
    VoiceAgent({ name: 'no-emitter' })(NoEmitter);
    class TooLate {
      wish(_wish: Wish): void {}
    }
    const { getMetadata } = Reflect as { getMetadata?: unknown };
    Object.assign(Reflect, { getMetadata: undefined });
    Tool('x')(TooLate.prototype, 'wish', {});
    Object.assign(Reflect, { getMetadata });
    VoiceAgent({ name: 'too-late' })(TooLate);
    expect(await codes(NoEmitter)).toContain('CW_META_NOT_EMITTED');
    expect(await codes(TooLate)).toContain('CW_META_LOADED_LATE');
  });

  it('knows what is wrong between agents', async () => {
    @VoiceAgent({ name: 'same', default: true })
    class One {}
    @VoiceAgent({ name: 'same', default: true })
    class Two {}
    class Plain {}
    expect(await codes(One, Two)).toEqual(['CW_AGENT_NAME_DUPLICATE', 'CW_AGENT_DEFAULT_DUPLICATE']);
    expect(await codes(Plain)).toContain('CW_AGENT_UNDECORATED');
    expect(await codes()).toEqual(['CW_AGENT_NONE']);
  });

  it('names an agent that stands among the providers', async () => {
    @VoiceAgent({ name: 'lost' })
    class LostAgent {}
    @Module({ providers: [LostAgent] })
    class DeepModule {}
    @Module({ imports: [DeepModule] })
    class TestModule {}
    const { problems } = readAgents(
      await planContainer(TestModule, {
        callInputs: CALL_INPUTS,
        globals: [{ provide: Logger, useValue: new Logger({ sink: silentSink }) }],
      }),
      {},
    );
    expect(problems.map(({ code }) => code)).toEqual(['CW_AGENT_NONE']);
    expect(problems[0]?.message).toContain("LostAgent stands in a module's providers");
    expect(problems[0]?.message).toContain('@Module({ agents: [LostAgent] })');
  });

  it('suggests the nearest name of an unknown option, and says that kind is required', async () => {
    @VoiceAgent({ name: 'slips', ...({ greting: 'x' } as object) })
    class Slips {
      @Tool({ description: 'x', kind: 'read_only', ...({ timeoutMS: 5 } as object) })
      a(): void {}
      @Tool({ description: 'x' } as never)
      b(): void {}
    }
    const { problems } = await reading(Slips);
    const text = problems.map(({ message }) => message).join('\n');
    expect(text).toContain(
      'option greting of @VoiceAgent is not usable: there is no such option (did you mean greeting?).',
    );
    expect(text).toContain('a read_only tool has no such option (did you mean timeoutMs?).');
    expect(text).toContain('option kind of @Tool is not usable: it is required');
  });

  it('says of a single value which @Arg to write, and nothing of properties to decorate', async () => {
    enum Day {
      monday = 'monday',
    }
    @VoiceAgent({ name: 'advice' })
    class Advice {
      @Tool('x')
      openingHours(_call: Call, day: string): string {
        return day;
      }
      @Tool('x')
      closed(day: Day): string {
        return day;
      }
      @Tool('x')
      opaque(day: unknown): void {
        void day;
      }
      @Tool('x')
      service(wish: Undecorated): void {
        void wish;
      }
    }
    const { problems } = await reading(Advice);
    const of = (method: string) =>
      problems.find(({ message }) => message.includes(`Advice.${method},`))?.message;
    expect(of('openingHours')).toContain("Mend: write @Arg('day') before the parameter.");
    expect(of('openingHours')).not.toContain('properties');
    expect(of('closed')).toContain("Mend: write @Arg('day') before the parameter.");
    expect(of('opaque')).toContain("@Arg('day', { type: 'string' })");
    expect(of('service')).toContain('Mend: decorate the properties of Undecorated');
  });

  it('keeps the tools of a base and those of its derived classes apart', async () => {
    class Base {
      @Tool('a of the base')
      a(): void {}
    }
    @VoiceAgent({ name: 'one' })
    class One extends Base {
      @Tool('b')
      b(): void {}
      @Tool('a of one')
      override a(): void {}
    }
    @VoiceAgent({ name: 'two' })
    class Two extends Base {
      @Tool('c')
      c(): void {}
    }
    const { agents } = await reading(One, Two);
    const described = agents.map(({ contract }) =>
      [...contract.tools].map(([name, { declaration }]) => `${name}: ${declaration.description}`),
    );
    expect(described).toEqual([
      ['a: a of one', 'b: b'],
      ['a: a of the base', 'c: c'],
    ]);
  });

  it('subscribes to what handlers ask for, in the order of the wire, and to families whole', async () => {
    @VoiceAgent({ name: 'auto' })
    class Auto {
      @OnEvent(UserText)
      heard(_event: UserText): void {}
      @OnEvent('bot.llm_started')
      began(): void {}
      @OnEvent('session.end')
      ended(): void {}
    }
    @VoiceAgent({ name: 'given', events: ['turn.*', UserText] })
    class Given {}
    @VoiceAgent({ name: 'all', events: 'all' })
    class All {}
    const { agents } = await reading(Auto, Given, All);
    expect(agents.map(({ contract }) => contract.events)).toEqual([
      ['user.text', 'bot.llm_started'],
      [
        'turn.user_started',
        'turn.user_ended',
        'turn.bot_started',
        'turn.bot_ended',
        'turn.interrupted',
        'turn.metrics',
        'user.text',
      ],
      'all',
    ]);
  });
});
