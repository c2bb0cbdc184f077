import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { cliError } from '../errors';
import { EXIT_CODES, withGuide } from '../guide';
import { readText } from '../read-text';
import { loadTesting } from '../testing-package';
import { runTypedCall } from '../typed-call/run-typed-call';
import { type CallerOptions, callerOf, TYPED_CALL_NOTES, withCallerOptions } from './caller-options';

interface CallOptions extends CallerOptions {
  readonly token?: string;
  readonly ca?: string;
}

/** `callwright call [url]` */
export function callCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('call')
    .description('call an agent, ours or not, and type what the caller says')
    .argument('[url]', 'where the agent listens', 'ws://127.0.0.1:8765')
    .option('--token <token>', 'the token (default: the variable BRISVOX_AGENT_TOKEN)')
    .option('--ca <file>', 'a PEM file of the authority that signed its certificate, for wss://')
    .action(async (url: string, options: CallOptions) => {
      if (!/^wss?:\/\/[^/]/.test(url) || !URL.canParse(url))
        throw cliError('CW_ADDRESS_INVALID', { address: url });
      const transport = loadTesting().webSocketTransport(url, {
        token: options.token ?? (system.environment.BRISVOX_AGENT_TOKEN || undefined),
        certificateAuthority: options.ca === undefined ? undefined : readText(system.folder, options.ca),
      });
      const { speech: speechMsPerCharacter, json } = options;
      const plan = {
        transport,
        where: url,
        caller: callerOf(options),
        isJson: json === true,
        speechMsPerCharacter,
      };
      exitWith(await runTypedCall(plan, system));
    });
  return withGuide(withCallerOptions(command), {
    examples: [
      'callwright call',
      'callwright call wss://agent.example.com --token secret --from +390612345678',
      `echo '/tool openingHours {"day":"monday"}' | callwright call`,
    ],
    exitCodes: [
      [
        EXIT_CODES.failed,
        'the agent could not be reached, refused the call, or sent what a voice server refuses; from a pipe also: a line was not understood, or a tool did not end well',
      ],
    ],
    notes: TYPED_CALL_NOTES,
  });
}
