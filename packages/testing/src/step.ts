import type { Mind, ModelCall, ModelReply, ModelRequest, ToolOutcome } from './brain';
import { TestingError, testingErrors } from './errors';

/** What a step knows when it makes arguments or a line: how its pattern matched, and what the tools said. */
export interface Heard {
  readonly text: string;
  /** The match of the step's pattern; for a plain text, the text alone. */
  readonly match: RegExpMatchArray;
  /** Outcomes of all tools of this turn so far, in order. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Arguments of a tool, or how to make them from the match and what the tools before said. */
export type StepArgs =
  | Readonly<Record<string, unknown>>
  | ((match: RegExpMatchArray, heard: Heard) => Readonly<Record<string, unknown>>);

/** A line, or how to make it from what was heard. */
export type StepLine = string | ((heard: Heard) => string);

type StepAction =
  | { readonly kind: 'call'; readonly calls: readonly { readonly name: string; readonly args: StepArgs }[] }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'say'; readonly line: StepLine };

/**
 * What the model does with one user turn: tools in order, then a line. Made by {@link when}; each method returns a new
 * step.
 */
export class Step {
  readonly pattern: string | RegExp;
  readonly #actions: readonly StepAction[];

  constructor(pattern: string | RegExp, actions: readonly StepAction[] = []) {
    this.pattern = pattern;
    this.#actions = actions;
  }

  /** Calls one tool in a round of its own and waits for it. */
  call(name: string, args: StepArgs = {}): Step {
    return this.#with({ kind: 'call', calls: [{ name, args }] });
  }

  /** Calls several tools in one round, at once. */
  callTogether(...calls: readonly (readonly [name: string, args: StepArgs])[]): Step {
    return this.#with({ kind: 'call', calls: calls.map(([name, args]) => ({ name, args })) });
  }

  /** Confirms the newest request that waits for the user's yes. */
  confirm(): Step {
    return this.#with({ kind: 'confirm' });
  }

  /** Says a line and ends the turn. Every step ends with one. */
  say(line: StepLine): Step {
    return this.#with({ kind: 'say', line });
  }

  /** Whether the step ends with a line. */
  get speaks(): boolean {
    return this.#actions.at(-1)?.kind === 'say';
  }

  /** The pattern as it is written in a test. */
  get title(): string {
    return typeof this.pattern === 'string' ? JSON.stringify(this.pattern) : String(this.pattern);
  }

  /** The match of `text`, or undefined. A text matches when it is equal, but for white space around it. */
  matchOf(text: string): RegExpMatchArray | undefined {
    if (typeof this.pattern === 'string') return this.pattern.trim() === text.trim() ? [text] : undefined;
    // `match` with a global pattern would forget the groups; without the flags it keeps no position either.
    const pattern = new RegExp(this.pattern.source, this.pattern.flags.replace(/[gy]/g, ''));
    return text.match(pattern) ?? undefined;
  }

  /** How the step goes on in a turn, round by round. */
  begin(match: RegExpMatchArray): StepRun {
    return new StepRun(this.title, this.#actions, match);
  }

  #with(action: StepAction): Step {
    return new Step(this.pattern, [...this.#actions, action]);
  }
}

/**
 * Begins a step: what to do when the user says this. A text must be equal; a pattern must match.
 *
 * @example
 * ```ts
 * import { when } from '@callwright/testing';
 *
 * const step = when(/table for (\d+)/).call('book_table', (m) => ({ partySize: Number(m[1]) })).say('Booked.');
 * void step;
 * ```
 */
export function when(pattern: string | RegExp): Step {
  return new Step(pattern);
}

/** @throws TestingError `CW_BRAIN_STEP_SILENT` when a step does not end with a line. */
export function requireSpeakingSteps(steps: readonly Step[]): void {
  const silent = steps.find((step) => !step.speaks);
  if (silent !== undefined) throw testingErrorOf('CW_BRAIN_STEP_SILENT', { step: silent.title });
}

/** A step inside a turn. */
export class StepRun {
  readonly #title: string;
  readonly #actions: readonly StepAction[];
  readonly #match: RegExpMatchArray;
  readonly #outcomes: ToolOutcome[] = [];

  constructor(title: string, actions: readonly StepAction[], match: RegExpMatchArray) {
    this.#title = title;
    this.#actions = actions;
    this.#match = match;
  }

  reply(request: ModelRequest): ModelReply {
    this.#outcomes.push(...request.outcomes);
    const action = this.#actions[request.round];
    if (action === undefined) throw testingErrorOf('CW_BRAIN_STEP_SILENT', { step: this.#title });
    switch (action.kind) {
      case 'call':
        return { calls: action.calls.map(({ name, args }) => ({ name, args: this.#argsOf(args, request) })) };
      case 'confirm':
        return { calls: [this.#confirmation(request)] };
      case 'say':
        return { say: typeof action.line === 'string' ? action.line : action.line(this.#heard(request)) };
    }
  }

  #confirmation(request: ModelRequest): ModelCall {
    if (request.pendingConfirmation === undefined) {
      throw testingErrorOf('CW_BRAIN_NOTHING_TO_CONFIRM', { step: this.#title });
    }
    return { name: 'confirm_pending', args: { call_id: request.pendingConfirmation } };
  }

  #argsOf(args: StepArgs, request: ModelRequest): Readonly<Record<string, unknown>> {
    return typeof args === 'function' ? args(this.#match, this.#heard(request)) : args;
  }

  #heard(request: ModelRequest): Heard {
    return { text: request.userText, match: this.#match, outcomes: this.#outcomes };
  }
}

/** A mind that finds a step for each user turn and plays it. */
export class StepMind implements Mind {
  readonly #stepFor: (text: string) => StepRun;
  #run: StepRun | undefined;

  constructor(stepFor: (text: string) => StepRun) {
    this.#stepFor = stepFor;
  }

  respond(request: ModelRequest): ModelReply {
    if (request.round === 0 || this.#run === undefined) this.#run = this.#stepFor(request.userText);
    return this.#run.reply(request);
  }
}

function testingErrorOf(
  code: 'CW_BRAIN_STEP_SILENT' | 'CW_BRAIN_NOTHING_TO_CONFIRM',
  details: { step: string },
): TestingError {
  return new TestingError(code, testingErrors[code](details));
}
