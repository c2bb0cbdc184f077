import {
  AgentPlan,
  BootError,
  callPorts,
  containerOptions,
  type Problem,
  readAgents,
} from '@callwright/core';
import {
  type Class,
  type CloseOptions,
  type DynamicModule,
  type PlanOptions,
  planContainer,
} from '@callwright/di';
import { AgentAccept } from './agent-accept';
import type { ServedAgent } from './agents';
import { Application } from './application';
import { ConnectionGuards, connectionGuardsOf } from './connection-guard';
import type { GatewayOptions } from './options';
import { readSettings } from './settings';

/** How long what was made may take to end when the boot failed: nobody was served. */
const FAILED_BOOT_TEARDOWN_MS = 2_000;

/**
 * Reads the modules from `root` on, checks everything, and makes the singletons; nothing listens yet.
 *
 * @throws BootError with everything that is wrong: options, modules, providers, agents, tools.
 *
 * @example
 * ```ts
 * import { createApplication, Module, Tool, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'clock' })
 * class ClockAgent {
 *   @Tool('The time of day.')
 *   timeOfDay(): string {
 *     return new Date().toISOString();
 *   }
 * }
 *
 * @Module({ agents: [ClockAgent] })
 * class AppModule {}
 *
 * async function main(): Promise<void> {
 *   const application = await createApplication(AppModule, { port: 0 });
 *   console.log(await application.listen());
 *   await application.close();
 * }
 * void main();
 * ```
 */
export function createApplication(
  root: Class | DynamicModule,
  options: GatewayOptions = {},
): Promise<Application> {
  return assembleApplication(root, options, {});
}

/** What a test kit puts in the place of providers and modules. */
export type Replacements = Pick<PlanOptions, 'overrides' | 'mocker'>;

/** {@link createApplication} for test kits: with replaced providers, and mocks for those that are missing. */
export async function assembleApplication(
  root: Class | DynamicModule,
  options: GatewayOptions,
  replacements: Replacements,
): Promise<Application> {
  const { settings, problems: optionProblems } = readSettings(options, process.env);
  const { clock, logger } = settings;
  const plan = await planContainer(root, { ...containerOptions({ logger, clock }), ...replacements });
  const reading = readAgents(plan, { timeZone: settings.timeZone });
  const found = [...optionProblems, ...plan.problems, ...reading.problems];
  const accepts = reading.agents.map((draft) => AgentAccept.prepare(draft.contract));
  const problems = [...found, ...accepts.filter(isProblem).filter((problem) => isNews(problem, found))];
  if (problems.length > 0) throw new BootError(problems);
  for (const { code, message } of [...plan.warnings, ...reading.warnings]) logger.warn(message, { code });
  const teardown: CloseOptions = {
    deadlineMs: FAILED_BOOT_TEARDOWN_MS,
    setTimer: (run, delayMs) => clock.setTimer(run, delayMs),
  };
  const reportTeardown = (errors: readonly unknown[]): void => {
    for (const error of errors)
      logger.error('a provider of a call that could not be set up failed to close', { error });
  };
  const container = await plan.instantiate({ teardown, reportTeardown });
  try {
    const agents = reading.agents.flatMap((draft, index): ServedAgent[] => {
      const accept = accepts[index];
      return accept instanceof AgentAccept ? [{ plan: new AgentPlan(draft, container, clock), accept }] : [];
    });
    const guards = new ConnectionGuards(connectionGuardsOf(plan, container), clock, logger);
    const ports = callPorts({ clock, logger });
    return new Application({ settings, ports, container, agents, plan, guards });
  } catch (error) {
    await container.close(undefined, teardown); // the singletons are made already, and nobody else knows of them
    throw error;
  }
}

function isProblem(accept: AgentAccept | Problem): accept is Problem {
  return !(accept instanceof AgentAccept);
}

/** An accept refused for a part that was already reported on its own would say the same mistake twice. */
function isNews(problem: Problem, found: readonly Problem[]): boolean {
  return problem.code === 'CW_ACCEPT_TOO_LARGE' || found.length === 0;
}
