import type { Name } from '../names';
import type { FileToWrite } from '../write-files';

/** What `generate` makes of a name. */
export interface Generated {
  readonly files: readonly FileToWrite[];
  /** What is left to do by hand, in order. */
  readonly next: readonly string[];
}

/** The kinds of things that can be generated, with what they are. */
export const KINDS = {
  agent: { about: 'an agent, and its test', make: agent },
  tool: { about: 'a tool set: tools that several agents may share', make: tool },
  guard: { about: 'a guard: who may use a tool', make: guard },
  module: { about: 'a module', make: module },
  dto: { about: 'the arguments of a tool', make: dto },
} as const satisfies Readonly<Record<string, { about: string; make: (name: Name) => Generated }>>;

/** One of {@link KINDS}. */
export type Kind = keyof typeof KINDS;

function agent({ kebab, pascal }: Name): Generated {
  const source = `import { Call, OnEvent, Tool, UserText, VoiceAgent } from 'callwright';

/** Every call has its own instance. */
@VoiceAgent({
  name: '${kebab}',
  systemPrompt: 'Say here who the agent is, and how it speaks.',
  greeting: 'Hello! How can I help you?',
})
export class ${pascal}Agent {
  constructor(private readonly call: Call) {}

  @Tool('The time of day.')
  timeOfDay(): string {
    return new Date().toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
  }

  @OnEvent(UserText)
  async heard(event: UserText): Promise<void> {
    if (/\\bbye\\b/i.test(event.text)) await this.call.end({ say: 'Goodbye!' });
  }
}
`;
  const test = `import { Test, type TestApplication } from '@callwright/testing';
import { ${pascal}Agent } from './${kebab}.agent';

describe('the agent ${kebab}', () => {
  let app: TestApplication;

  beforeEach(async () => {
    app = await Test.createTestingModule({ agents: [${pascal}Agent] }).createApplication();
  });

  afterEach(() => app.close());

  it('tells the time', async () => {
    const call = await app.call({ agent: '${kebab}' });
    await expect(call.tool('timeOfDay')).resolves.toMatchObject({ status: 'ok' });
    await call.hangUp();
  });
});
`;
  return {
    files: [
      [`${kebab}.agent.ts`, source],
      [`${kebab}.agent.test.ts`, test],
    ],
    next: [
      `name it in a module: @Module({ agents: [${pascal}Agent] })`,
      `with several agents, a call goes to the one whose name it asks for ('${kebab}'), or to the one with default: true`,
    ],
  };
}

function tool({ kebab, pascal, camel }: Name): Generated {
  const source = `import { Arg, Injectable, Scope, Tool, ToolContext } from 'callwright';

/** Tools of a call; every call has its own instance. */
@Injectable({ scope: Scope.CALL })
export class ${pascal}Tools {
  @Tool({ description: 'Say here what it does, for the model.', kind: 'read_only', timeoutMs: 5_000 })
  async ${camel}(@Arg('query', { maxLength: 200 }) query: string, tool: ToolContext): Promise<string> {
    tool.signal.throwIfAborted(); // pass tool.signal to fetch and to whatever else can be stopped
    return \`nothing is known of \${query}\`;
  }
}
`;
  return {
    files: [[`${kebab}.tools.ts`, source]],
    next: [
      `make it known to the agent's module: @Module({ providers: [${pascal}Tools] })`,
      `give it to the agent: @VoiceAgent({ toolSets: [${pascal}Tools] })`,
    ],
  };
}

function guard({ kebab, pascal }: Name): Generated {
  const source = `import { Call, type CanActivate, Injectable, Scope } from 'callwright';

/** Lets a call use what it guards, or not; the model is told when not. */
@Injectable({ scope: Scope.CALL })
export class ${pascal}Guard implements CanActivate {
  constructor(private readonly call: Call) {}

  canActivate(): boolean {
    return this.call.caller?.from !== undefined; // only callers with a number
  }
}
`;
  return {
    files: [[`${kebab}.guard.ts`, source]],
    next: [`put it on a tool, a handler or a whole agent: @UseGuards(${pascal}Guard)`],
  };
}

function module({ kebab, pascal }: Name): Generated {
  const source = `import { Module } from 'callwright';

@Module({ imports: [], providers: [], exports: [] })
export class ${pascal}Module {}
`;
  return {
    files: [[`${kebab}.module.ts`, source]],
    next: [
      'name in `exports` what other modules may use',
      `import it where it is needed: @Module({ imports: [${pascal}Module] })`,
    ],
  };
}

function dto({ kebab, pascal, camel }: Name): Generated {
  const source = `import { Describe } from 'callwright';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Arguments of a tool: the model's schema is made from these decorators, and its arguments are checked by them. */
export class ${pascal} {
  @Describe('Say here what it is, for the model')
  @IsString()
  @MaxLength(80)
  name!: string;

  @IsInt()
  @Min(1)
  @Max(12)
  count: number = 1;

  @IsOptional()
  @IsString()
  @MaxLength(200)
  note?: string;
}
`;
  return {
    files: [[`${kebab}.dto.ts`, source]],
    next: [`make it the parameter of a tool: async book(${camel}: ${pascal}): Promise<string>`],
  };
}
