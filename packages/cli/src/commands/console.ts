import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { EXIT_CODES, withGuide } from '../guide';
import { findProject } from '../project';
import { loadRootModule } from '../root-module';
import type { CliSystem } from '../system';
import { loadTesting } from '../testing-package';
import { runTypedCall } from '../typed-call/run-typed-call';
import { type CallerOptions, callerOf, TYPED_CALL_NOTES, withCallerOptions } from './caller-options';
import { moduleOption } from './module-option';

interface ConsoleOptions extends CallerOptions {
  readonly module?: string;
}

/** `callwright console` */
export function consoleCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('console')
    .description('run the agent and call it, in one process: nothing listens')
    .addOption(moduleOption())
    .action(async (options: ConsoleOptions) => exitWith(await runConsole(options, system)));
  return withGuide(withCallerOptions(command), {
    examples: ['callwright console', `echo '/tool openingHours {"day":"monday"}' | callwright console`],
    exitCodes: [
      [
        EXIT_CODES.failed,
        'the application does not start, or the agent refused the call; from a pipe also: a line was not understood, or a tool did not end well',
      ],
    ],
    notes: TYPED_CALL_NOTES,
  });
}

async function runConsole(options: ConsoleOptions, system: CliSystem): Promise<number> {
  const { callwright, rootModule } = loadRootModule(findProject(system.folder), options.module);
  // Whatever HOST and the token are: nobody reaches it. Below warnings, the log would only repeat the transcript.
  const application = await callwright.createApplication(rootModule, {
    host: '127.0.0.1',
    port: 0,
    log: system.environment.CALLWRIGHT_LOG_LEVEL === undefined ? { level: 'warn' } : {},
  });
  try {
    const { speech: speechMsPerCharacter, json } = options;
    const transport = loadTesting().applicationTransport(application);
    const where = 'the application';
    const plan = { transport, where, caller: callerOf(options), isJson: json === true, speechMsPerCharacter };
    return await runTypedCall(plan, system);
  } finally {
    await application.close({ lameDuckMs: 0, drainMs: 0 });
  }
}
