import type { Command } from 'commander';

/** What a command's help and its section of the reference say beyond its options. */
export interface CommandGuide {
  /** Command lines that work as they stand. */
  readonly examples: readonly string[];
  /** What the command's exit codes mean, beyond those that all commands share. */
  readonly exitCodes: readonly (readonly [code: number, meaning: string])[];
  /** More about it: paragraphs. */
  readonly notes?: readonly string[] | undefined;
}

/** Exit codes that every command has. */
export const EXIT_CODES = {
  ok: 0,
  /** What was checked or run is not in order. */
  failed: 1,
  /** A shutdown cut calls before their own end. */
  callsCut: 2,
  /** The command line is wrong. As in sysexits.h, so that it is no other code of the commands. */
  usage: 64,
} as const;

const guides = new WeakMap<Command, CommandGuide>();

/** Adds a guide to a command: its help shows it, and so does the reference. */
export function withGuide(command: Command, guide: CommandGuide): Command {
  guides.set(command, guide);
  return command.addHelpText('after', () => `\n${guideText(guide)}`);
}

/** The guide of a command that has one. */
export function guideOf(command: Command): CommandGuide | undefined {
  return guides.get(command);
}

function guideText({ examples, exitCodes, notes = [] }: CommandGuide): string {
  const parts = [
    ...notes,
    ['Examples:', ...examples.map((example) => `  $ ${example}`)].join('\n'),
    [
      'Exit codes:',
      ...exitCodesOf(exitCodes).map(([code, meaning]) => `  ${String(code).padEnd(2)}  ${meaning}`),
    ].join('\n'),
  ];
  return parts.join('\n\n');
}

/** The command's codes with those of all commands, in order. */
export function exitCodesOf(own: CommandGuide['exitCodes']): readonly (readonly [number, string])[] {
  const all = new Map<number, string>([
    [EXIT_CODES.ok, 'done'],
    [EXIT_CODES.failed, 'it failed; the text says why'],
    [EXIT_CODES.usage, 'the command line is wrong'],
    ...own,
  ]);
  return [...all].sort(([a], [b]) => a - b);
}
