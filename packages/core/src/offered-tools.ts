import type { Command } from './link';

/**
 * A command as it may go out: a set of tools leaves out those of the agent that this call does not offer. The voice
 * server's own tools are named in it too and stay.
 */
export function offeredOnly(
  command: Command,
  ofAgent: ReadonlyMap<string, unknown>,
  offered: ReadonlySet<string> | undefined,
): Command {
  if (command.type !== 'tools.set' || !command.enabled || !offered) return command;
  return {
    ...command,
    enabled: command.enabled.filter((name) => !ofAgent.has(name) || offered.has(name)),
  };
}
