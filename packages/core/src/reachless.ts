import type { Class } from './class-types';
import { coreErrors } from './errors';
import type { CallHooks } from './hooks';
import { ENHANCER_KINDS, KINDS } from './method-enhancers';
import { handlerMembers, methodName, timerMembers, toolMembers } from './method-members';
import type { Problem } from './problem';
import { classChain, type EnhancerKind, ownRecords } from './records';

type Role = 'tool' | 'event handler' | 'hook' | 'timer';

/** What acts around which kind of method: the table of `docs/reference/lifecycle.md`. */
export const ENHANCERS_OF_ROLES: Readonly<Record<Role, readonly EnhancerKind[]>> = {
  tool: ['guards', 'interceptors', 'pipes', 'filters'],
  'event handler': ['guards', 'interceptors', 'filters'],
  hook: ['interceptors', 'filters'],
  timer: ['interceptors', 'filters'],
};

/** Decorators of a class's methods that could never act: a mistake that would be silent else. */
export function reachlessProblems(type: Class, hooks: readonly (keyof CallHooks)[]): Problem[] {
  const problems: Problem[] = [];
  const tools = new Set(toolMembers(type).map(({ key }) => key));
  const handlers = new Set(handlerMembers(type).map(({ key }) => key));
  const timers = new Set(timerMembers(type).map(({ key }) => key));
  const report = (key: PropertyKey, decorator: string, roles: readonly Role[]): void => {
    const details = { where: methodName(type, key), decorator, role: roles[0] ?? 'plain method' };
    problems.push({
      code: 'CW_DECORATOR_WITHOUT_EFFECT',
      message: coreErrors.CW_DECORATOR_WITHOUT_EFFECT(details),
    });
  };
  const rolesOf = (key: PropertyKey): Role[] => [
    ...(tools.has(key) ? (['tool'] as const) : []),
    ...(handlers.has(key) ? (['event handler'] as const) : []),
    ...((hooks as readonly PropertyKey[]).includes(key) ? (['hook'] as const) : []),
    ...(timers.has(key) ? (['timer'] as const) : []),
  ];
  for (const records of classChain(type).map(ownRecords)) {
    for (const [key, lists] of records?.methodEnhancers ?? []) {
      const roles = rolesOf(key);
      const acting = new Set(roles.flatMap((role) => ENHANCERS_OF_ROLES[role]));
      for (const kind of ENHANCER_KINDS) {
        if (lists[kind].length > 0 && !acting.has(kind)) report(key, KINDS[kind].decorator, roles);
      }
    }
    for (const key of records?.parameters.keys() ?? []) {
      if (!tools.has(key) && !handlers.has(key)) report(key, 'a decorator of its parameter', rolesOf(key));
    }
  }
  return problems;
}
