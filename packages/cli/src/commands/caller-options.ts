import { type Command, InvalidArgumentError } from 'commander';

/** Who calls, and how: the options that `call` and `console` share. */
export interface CallerOptions {
  readonly agent?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
  readonly speech: number;
}

const MAX_SPEECH_MS = 1_000;

/** Adds the options of {@link CallerOptions}. */
export function withCallerOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'the agent to ask for, as the voice server would')
    .option('--from <number>', "the caller's number, such as +390612345678")
    .option('--to <number>', 'the number that was called')
    .option('--speech <ms>', 'milliseconds that the bot speaks per character', speechMs, 0)
    .option('--json', 'print the transcript as JSON lines');
}

/** The options in the test kit's form. */
export function callerOf({ agent, from, to }: CallerOptions): CallerOptionsOfCall {
  return { agent, from, to };
}

interface CallerOptionsOfCall {
  readonly agent: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function speechMs(text: string): number {
  const ms = Number(text);
  if (text.trim() !== '' && ms >= 0 && ms <= MAX_SPEECH_MS) return ms;
  throw new InvalidArgumentError(`A number from 0 to ${MAX_SPEECH_MS}.`);
}

/** What the help of a typed call says about its lines. */
export const TYPED_CALL_NOTES = [
  'Each line is what the caller says, or a command: /tool NAME {json}, /confirm, /tools, /interrupt, /cut, /wait MS, /help, /quit. From a pipe each line waits for the one before it; end a /tool line with & to go on at once.',
  'No model takes part: whoever types calls the tools. Everything else is as a voice server does it, arguments checked against the schema included.',
] as const;
