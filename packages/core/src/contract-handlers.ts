import type { Class } from './class-types';
import type { HandlerPlan } from './contract';
import { coreErrors } from './errors';
import { EVENT_CLASSES, SUBSCRIBABLE_EVENT_TYPES } from './events';
import { handlerMembers, methodName } from './method-members';
import { compileHandler, readParameters } from './method-parameters';
import { nearest } from './nearest';
import { type EventSelector, selectorName } from './on-event';
import type { Problem } from './problem';
import type { VoiceAgentOptions } from './voice-agent';

interface HandlersReading {
  readonly handlers: readonly HandlerPlan[];
  readonly events: 'all' | readonly string[];
  readonly problems: readonly Problem[];
}

/** The event handlers of the agent and what belongs to it, and the events to subscribe to. */
export function readHandlers(
  agent: Class,
  owners: readonly Class[],
  wanted: NonNullable<VoiceAgentOptions['events']>,
): HandlersReading {
  const problems: Problem[] = [];
  const handlers: HandlerPlan[] = [];
  for (const owner of owners) {
    for (const member of handlerMembers(owner)) {
      const where = methodName(owner, member.key);
      const eventTypes = member.record.flatMap((record) => expand(record.selector, where, problems));
      const parameters = readParameters({ ...member, record: member.record[0] }, where, 'handler');
      problems.push(...parameters.problems);
      handlers.push({
        where,
        type: owner,
        method: member.key,
        parameters: parameters.sources,
        eventTypes: [...new Set(eventTypes)],
        invoke: compileHandler(member.key, parameters.sources),
      });
    }
  }
  return { handlers, events: subscription(agent, wanted, handlers, problems), problems };
}

function subscription(
  agent: Class,
  wanted: NonNullable<VoiceAgentOptions['events']>,
  handlers: readonly HandlerPlan[],
  problems: Problem[],
): 'all' | readonly string[] {
  if (wanted === 'all') return 'all';
  if (wanted !== 'auto' && !Array.isArray(wanted)) {
    const details = { agent: agent.name, option: 'events', why: "it is neither 'auto', 'all' nor a list" };
    problems.push({ code: 'CW_AGENT_OPTION_INVALID', message: coreErrors.CW_AGENT_OPTION_INVALID(details) });
    return 'all';
  }
  const types =
    wanted === 'auto'
      ? handlers.flatMap((handler) => handler.eventTypes)
      : wanted.flatMap((selector: EventSelector) =>
          expand(selectorName(selector), `${agent.name}, option events`, problems),
        );
  return SUBSCRIBABLE_EVENT_TYPES.filter((type) => types.includes(type));
}

/** The wire names of a selector; none, and a problem, when there is no such event. */
function expand(selector: string, where: string, problems: Problem[]): string[] {
  if (EVENT_CLASSES.has(selector)) return [selector];
  if (selector.endsWith('.*')) {
    const family = [...EVENT_CLASSES.keys()].filter((type) => type.startsWith(selector.slice(0, -1)));
    if (family.length > 0) return family;
  }
  const details = { where, event: selector, nearest: nearest(selector, EVENT_CLASSES.keys()).join(', ') };
  problems.push({ code: 'CW_EVENT_UNKNOWN', message: coreErrors.CW_EVENT_UNKNOWN(details) });
  return [];
}
