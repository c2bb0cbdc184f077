import type { Class } from './class-types';
import type { Clock } from './clock';
import type { MethodTarget } from './execution-context';
import type { MethodEnhancers } from './method-enhancers';
import type { FilledParameter } from './parameter-filling';

/** A method of an agent's contract, with everything bound around it. */
export interface MethodPlan extends MethodTarget {
  /** `LuigiAgent.bookTable`. */
  readonly where: string;
  readonly agent: Class;
  /** Place of the method's instance among the roots of the call's scope. */
  readonly rootIndex: number;
  readonly enhancers: MethodEnhancers;
  /** How the parameters are filled, where that needs pipes or something custom. */
  readonly parameters: readonly FilledParameter[] | undefined;
}

/** A method plan in a running application. */
export interface RunnableMethod extends MethodPlan {
  readonly clock: Clock;
}

/** Whether anything acts when the method runs; where nothing does, it is called directly. */
export function isBare({ enhancers, parameters }: MethodPlan): boolean {
  const { guards, interceptors, filters } = enhancers;
  return guards.length + interceptors.length + filters.length === 0 && parameters === undefined;
}
