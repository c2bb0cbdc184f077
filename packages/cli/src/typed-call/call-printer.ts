import type { FakeCall, TranscriptEntry } from '@callwright/testing';
import { hasColor, type Paint, paintFor } from '../paint';
import type { CliSystem } from '../system';
import { loadTesting } from '../testing-package';
import { isAbsentModel } from './absent-model';

/** Prints what happens in a call: lines for people, or JSON lines. */
export class CallPrinter {
  readonly #system: CliSystem;
  readonly #isJson: boolean;
  readonly #paint: Paint;
  readonly #printed = new WeakSet<TranscriptEntry>();
  /** Around every line: a prompt is taken away before it and put back after it. */
  around: (print: () => void) => void = (print) => print();

  constructor(system: CliSystem, isJson: boolean) {
    this.#system = system;
    this.#isJson = isJson;
    this.#paint = paintFor(system.output, system);
  }

  get isForTerminal(): boolean {
    return this.#system.output.isTTY === true;
  }

  /** Prints what has happened and what will. */
  follow(call: FakeCall): void {
    for (const entry of call.transcript) if (isComplete(entry)) this.#entry(entry);
    call.onEntry((entry) => this.#entry(entry));
  }

  /** A line that is not part of the call; JSON has none. */
  note(text: string): void {
    if (!this.#isJson) this.#line(this.#paint(text, 'dim'));
  }

  /** A mistake of whoever types. */
  mistake(text: string): void {
    this.around(() => {
      const paint = paintFor(this.#system.errorOutput, this.#system);
      this.#system.errorOutput.write(`${paint(text, 'red')}\n`);
    });
  }

  #entry(entry: TranscriptEntry): void {
    if (this.#printed.has(entry) || isAbsentModel(entry)) return;
    this.#printed.add(entry);
    const color = hasColor(this.#system.output, this.#system);
    this.#line(
      this.#isJson ? JSON.stringify(entry) : loadTesting().formatEntry(entry, { color, maxCharacters: 400 }),
    );
  }

  #line(text: string): void {
    this.around(() => this.#system.output.write(`${text}\n`));
  }
}

function isComplete(entry: TranscriptEntry): boolean {
  if (entry.kind === 'tool') return entry.status !== 'running';
  if (entry.kind === 'bot') return entry.interrupted || entry.silentAtMs !== undefined;
  return entry.kind !== 'command' || entry.outcome !== 'waiting';
}
