import { setTimeout as pause } from 'node:timers/promises';
import type { FakeCall, ToolOutcome } from '@callwright/testing';
import { signatureOf } from '../manifest/signature';
import { textTable } from '../table';
import type { CallPrinter } from './call-printer';
import { COMMANDS, readTypedLine, type TypedLine } from './typed-line';

/** Outcomes that are no failure of a tool. */
const GOOD: readonly ToolOutcome['status'][] = ['ok', 'confirmation_required'];

/** A call that is driven by typed lines. */
export class TypedCall {
  readonly #call: FakeCall;
  readonly #printer: CallPrinter;
  #failures = 0;
  #hasSpoken = false;
  readonly #running = new Set<Promise<void>>();

  constructor(call: FakeCall, printer: CallPrinter) {
    this.#call = call;
    this.#printer = printer;
  }

  /** How many lines were not understood or led to no good end. */
  get failures(): number {
    return this.#failures;
  }

  /** Does what a line says. Never rejects. @returns false: hang up. */
  async perform(line: string): Promise<boolean> {
    const typed = readTypedLine(line);
    if (typed.kind === 'quit') return false;
    try {
      await this.#perform(typed);
    } catch (error) {
      // The line came too late: the call's end is in the transcript.
      if (this.#call.endReason === undefined)
        this.#fail(error instanceof Error ? error.message : String(error));
    }
    return this.#call.endReason === undefined;
  }

  /** Resolves when the tools that nobody waits for are done. */
  async backgroundDone(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #perform(typed: TypedLine): Promise<void> {
    switch (typed.kind) {
      case 'say':
        return this.#say(typed.text);
      case 'tool':
        return this.#tool(typed);
      case 'confirm':
        return this.#confirm();
      case 'interrupt':
        return this.#interrupt();
      case 'cut':
        return this.#cut();
      case 'wait':
        return void (await pause(typed.ms));
      case 'tools':
        return this.#printer.note(this.#toolList());
      case 'help':
        return this.#printer.note(textTable(COMMANDS, '  '));
      case 'mistake':
        return this.#fail(typed.reason);
    }
  }

  async #say(text: string): Promise<void> {
    if (!this.#hasSpoken) {
      this.#printer.note('(no model is here: the agent hears the caller, and you call the tools with /tool)');
    }
    this.#hasSpoken = true;
    await this.#call.user(text);
  }

  async #tool({ name, args, inBackground }: Extract<TypedLine, { kind: 'tool' }>): Promise<void> {
    const done = this.#call.tool(name, args).then((outcome) => this.#judge(outcome));
    if (!inBackground) return done;
    const running = done
      .catch((error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** The outcome itself is in the transcript. */
  #judge({ status }: ToolOutcome): void {
    if (!GOOD.includes(status)) this.#failures += 1;
  }

  async #confirm(): Promise<void> {
    try {
      this.#judge(await this.#call.confirm());
    } catch (error) {
      if (codeOf(error) !== 'CW_BRAIN_NOTHING_TO_CONFIRM') throw error;
      // Its own words are for tests.
      this.#fail(
        "nothing waits for the caller's yes: first call a tool that asks for it with /tool; an interruption clears it, and so do 120 s",
      );
    }
  }

  #interrupt(): void {
    try {
      this.#call.interrupt();
    } catch {
      // The only reason that it has; its own words are for tests.
      this.#fail(
        'there is nothing to interrupt: no tool runs (end its line with & to type on meanwhile), and the bot speaks only with an option such as --speech 60',
      );
    }
  }

  async #cut(): Promise<void> {
    this.#call.cut();
    await this.#call.resume();
  }

  #toolList(): string {
    const rows = this.#call.tools.map(({ name, parameters, description }) => [
      name,
      signatureOf(parameters, { isForTerminal: this.#printer.isForTerminal }),
      description,
    ]);
    return rows.length === 0 ? '  no tools are offered' : textTable(rows, '  ');
  }

  #fail(text: string): void {
    this.#failures += 1;
    this.#printer.mistake(text);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
