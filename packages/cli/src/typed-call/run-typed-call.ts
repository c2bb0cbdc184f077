import { clearLine, createInterface, cursorTo } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { FakeCall, FakeCallOptions, Transport } from '@callwright/testing';
import { type CliError, cliError } from '../errors';
import { EXIT_CODES } from '../guide';
import { type CliSystem, isInteractive } from '../system';
import { loadTesting } from '../testing-package';
import { absentModel } from './absent-model';
import { CallPrinter } from './call-printer';
import { ScriptLines } from './script-lines';
import { TypedCall } from './typed-call';
import { COMMANDS } from './typed-line';

/** A call to make and to type. */
export interface TypedCallPlan {
  readonly transport: Transport;
  /** What is called, for people. */
  readonly where: string;
  readonly caller: FakeCallOptions;
  readonly isJson: boolean;
  /** Milliseconds the bot speaks per character. */
  readonly speechMsPerCharacter: number;
}

/** In a script, a line waits until nothing has happened for this long: the agent may answer on its own. */
const QUIET_MS = 60;
const MAX_QUIET_WAIT_MS = 2_000;

/** How often the timer fires that does nothing but keep the process. */
const KEEP_ALIVE_MS = 60_000;

/**
 * Makes a call and plays it as it is typed, or as a script says it, until one of the sides ends it.
 * @returns the exit code.
 * @throws CliError `CW_AGENT_UNREACHABLE`, `CW_AGENT_REFUSED`
 */
export async function runTypedCall(plan: TypedCallPlan, system: CliSystem): Promise<number> {
  // While a lost link is dialled again there is no socket, and the timers of a call keep no process: Node would just end.
  const alive = setInterval(() => undefined, KEEP_ALIVE_MS);
  try {
    return await playCall(plan, system);
  } finally {
    clearInterval(alive);
  }
}

async function playCall(plan: TypedCallPlan, system: CliSystem): Promise<number> {
  const { FakeVoiceServer } = loadTesting();
  const server = new FakeVoiceServer({
    transport: plan.transport,
    brain: absentModel,
    strict: false,
    speechMsPerCharacter: plan.speechMsPerCharacter,
  });
  const printer = new CallPrinter(system, plan.isJson);
  const call = await server.call(plan.caller).catch((error: unknown) => {
    throw notAnswered(error, plan.where);
  });
  printer.follow(call);
  const typed = new TypedCall(call, printer);
  if (isInteractive(system)) await typeCall(call, typed, printer, system);
  else await playScript(call, typed, system);
  if (call.endReason === undefined) await call.hangUp();
  await call.ended;
  return typed.failures > 0 && !isInteractive(system) ? EXIT_CODES.failed : violationsOf(call);
}

function violationsOf(call: FakeCall): number {
  return call.violations.length > 0 ? EXIT_CODES.failed : EXIT_CODES.ok;
}

function notAnswered(error: unknown, where: string): CliError {
  if (!(error instanceof Error)) throw error;
  const reason = error.message;
  if (error.name === 'LinkRefused' && 'code' in error) {
    return cliError('CW_AGENT_REFUSED', { where, code: String(error.code), reason }, { cause: error });
  }
  return cliError('CW_AGENT_UNREACHABLE', { where, reason }, { cause: error });
}

/** Lines of a person: each begins at once, whatever the others do. */
function typeCall(call: FakeCall, typed: TypedCall, printer: CallPrinter, system: CliSystem): Promise<void> {
  const output = system.output as NodeJS.WriteStream; // isInteractive: it is the terminal itself
  const lines = createInterface({
    input: system.input,
    output,
    prompt: '> ',
    completer: (line: string) => complete(line, call),
  });
  printer.around = (print) => {
    clearLine(output, 0);
    cursorTo(output, 0);
    print();
    if (call.endReason === undefined) lines.prompt(true);
  };
  printer.note('Type what the caller says, or /help. Ctrl+C hangs up.');
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      void typed.perform(line).then((goesOn) => {
        if (goesOn) lines.prompt(true);
        else lines.close();
      });
    });
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      printer.around = (print) => print();
      resolve();
    });
    void call.ended.then(() => lines.close());
  });
}

/** Completes commands, and tools behind `/tool`. */
function complete(line: string, call: FakeCall): [string[], string] {
  const tool = /^\/tool\s+(\S*)$/.exec(line)?.[1];
  const words =
    tool === undefined
      ? COMMANDS.map(([usage]) => usage.split(' ')[0] ?? '').filter((word) => word.startsWith('/'))
      : call.tools.map(({ name }) => name);
  const typed = tool ?? line;
  return [words.filter((word) => word.startsWith(typed)), typed];
}

/** Lines of a script: each waits for the one before it. */
async function playScript(call: FakeCall, typed: TypedCall, system: CliSystem): Promise<void> {
  const lines = new ScriptLines(system.input);
  void call.ended.then(() => lines.close());
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    const goesOn = await typed.perform(line);
    await quiet(call);
    if (!goesOn || call.endReason !== undefined) break;
  }
  lines.close();
  await typed.backgroundDone();
  await quiet(call);
}

async function quiet(call: FakeCall): Promise<void> {
  const endMs = Date.now() + MAX_QUIET_WAIT_MS;
  for (let seen = -1; seen !== stateOf(call) && Date.now() < endMs; ) {
    seen = stateOf(call);
    await pause(QUIET_MS);
  }
}

/** A number that changes when something happens in the call. */
function stateOf(call: FakeCall): number {
  return call.frames.length + call.transcript.length;
}
