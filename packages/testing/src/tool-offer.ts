import {
  DEFAULT_TOOL_TIMEOUT_MS,
  MAX_TOOL_TIMEOUT_MS,
  RESERVED_TOOL_NAME,
  type ToolDeclaration,
} from '@callwright/protocol';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import type { OfferedTool } from './brain';

/** A tool the server took from an accept. */
export interface TakenTool {
  readonly declaration: ToolDeclaration;
  readonly timeoutMs: number;
  readonly speaksFiller: boolean;
  /** What is wrong with these arguments; empty when they fit. At most five problems. */
  issuesOf(args: Readonly<Record<string, unknown>>): readonly string[];
}

interface Compilers {
  readonly draft7: Ajv;
  readonly draft2020: Ajv2020;
}

const MAX_ISSUES = 5;

/** As the voice server validates: formats are not asserted, unknown keywords are ignored, nothing is fetched. */
const VALIDATION = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;

const CONFIRM_TOOL: OfferedTool = {
  name: RESERVED_TOOL_NAME,
  description: 'Runs a tool call that was held until the user agrees.',
  parameters: {
    type: 'object',
    properties: { call_id: { type: 'string' } },
    required: ['call_id'],
    additionalProperties: false,
  },
};

/** The agent's tools as the server keeps them for one call: those it could use, and which of them are switched on. */
export class ToolOffer {
  readonly #tools = new Map<string, TakenTool>();
  /** Undefined: all. */
  #enabled: ReadonlySet<string> | undefined;

  /** Takes the declarations whose schema compiles; returns what is wrong with the others. */
  take(declarations: readonly ToolDeclaration[]): readonly string[] {
    const problems: string[] = [];
    const compilers = { draft7: new Ajv(VALIDATION), draft2020: new Ajv2020(VALIDATION) };
    for (const declaration of declarations) {
      const issuesOf = compile(declaration, compilers, problems);
      if (issuesOf === undefined) continue;
      this.#tools.set(declaration.name, {
        declaration,
        issuesOf,
        timeoutMs: clampTimeoutMs(declaration.timeout_ms),
        speaksFiller: declaration.filler_after_ms !== 0,
      });
    }
    return problems;
  }

  /** Switches tools on by name; null switches all on. Unknown names do nothing. */
  enable(names: readonly string[] | null): void {
    this.#enabled = names === null ? undefined : new Set(names);
  }

  /** The tool, when it is offered at the moment. */
  find(name: string): TakenTool | undefined {
    return this.#isOffered(name) ? this.#tools.get(name) : undefined;
  }

  /** A tool whose request the user has confirmed runs even when it was switched off since. */
  findTaken(name: string): TakenTool | undefined {
    return this.#tools.get(name);
  }

  /** What the model is told of. */
  offered(): readonly OfferedTool[] {
    const tools = [...this.#tools.values()].filter(({ declaration }) => this.#isOffered(declaration.name));
    const offered: OfferedTool[] = tools.map(({ declaration }) => ({
      name: declaration.name,
      description: declaration.description,
      parameters: declaration.parameters,
    }));
    if (tools.some(({ declaration }) => declaration.confirm === true)) offered.push(CONFIRM_TOOL);
    return offered;
  }

  #isOffered(name: string): boolean {
    return this.#enabled === undefined || this.#enabled.has(name);
  }
}

function clampTimeoutMs(declaredMs: number | undefined): number {
  return Math.min(Math.max(declaredMs ?? DEFAULT_TOOL_TIMEOUT_MS, 1), MAX_TOOL_TIMEOUT_MS);
}

function compile(
  declaration: ToolDeclaration,
  compilers: Compilers,
  problems: string[],
): TakenTool['issuesOf'] | undefined {
  const dialect = declaration.parameters.$schema;
  const isDraft7 = typeof dialect === 'string' && dialect.includes('draft-07');
  try {
    const validate = (isDraft7 ? compilers.draft7 : compilers.draft2020).compile(declaration.parameters);
    return (args) => {
      if (validate(args)) return [];
      const errors = validate.errors ?? [];
      return errors
        .slice(0, MAX_ISSUES)
        .map((error) => `${error.instancePath || '(root)'}: ${error.message ?? error.keyword}`);
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    problems.push(`tool refused: ${declaration.name} has a schema that does not compile: ${why}`);
    return undefined;
  }
}
