import type { CallScope } from '@callwright/di';
import type { ExecutionContext } from './execution-context';
import { type Enhancer, instanceOf } from './method-enhancers';
import type { ParameterSource } from './method-parameters';
import type { Pipe, PipeTarget } from './pipe';
import { isThenable } from './thenable';

/** A parameter with the pipes that its value goes through. */
export interface FilledParameter {
  readonly source: ParameterSource;
  readonly pipes: readonly Enhancer<Pipe>[];
  readonly target: PipeTarget;
}

/** One filling of a method's parameters. */
export interface Filling {
  readonly parameters: readonly FilledParameter[];
  readonly scope: CallScope;
  readonly context: ExecutionContext;
  /** The value of a source that is not custom. */
  read(source: ParameterSource): unknown;
}

/** What a pipe is told of a parameter. */
export function pipeTarget(source: ParameterSource): PipeTarget {
  const name = source.from === 'argument' ? source.parameter.name : undefined;
  const kind = source.from === 'argument' || source.from === 'arguments' ? source.from : 'custom';
  return { source: kind, name, type: source.valueType, where: source.where };
}

/** Fills `values` one after another; a promise only where something waits. */
export function fillParameters(filling: Filling, values: unknown[], from = 0): Promise<void> | undefined {
  const { parameters } = filling;
  for (let index = from; index < parameters.length; index++) {
    const value = fillOne(filling, parameters[index] as FilledParameter); // the index is within the list
    if (value instanceof Waiting) {
      return value.promise.then((settled) => {
        values[index] = settled;
        return fillParameters(filling, values, index + 1);
      });
    }
    values[index] = value;
  }
  return undefined;
}

/** Tells a promise to wait for from a bound value that happens to have a `then`. */
class Waiting {
  constructor(readonly promise: Promise<unknown>) {}
}

function fillOne(filling: Filling, parameter: FilledParameter): unknown {
  const { source } = parameter;
  if (source.from !== 'custom') return piped(filling, parameter, filling.read(source), 0);
  const value = source.resolve(source.input, filling.context);
  if (!isThenable(value)) return piped(filling, parameter, value, 0);
  return new Waiting(Promise.resolve(value).then((settled) => settle(filling, parameter, settled, 0)));
}

function piped(filling: Filling, parameter: FilledParameter, given: unknown, from: number): unknown {
  const { pipes, target } = parameter;
  let value = given;
  for (let index = from; index < pipes.length; index++) {
    const pipe = instanceOf(pipes[index] as Enhancer<Pipe>, filling.scope); // the index is within the list
    value = pipe.transform(value, target, filling.context);
    if (isThenable(value)) {
      const next = Promise.resolve(value).then((settled) => settle(filling, parameter, settled, index + 1));
      return new Waiting(next);
    }
  }
  return value;
}

function settle(filling: Filling, parameter: FilledParameter, value: unknown, from: number): unknown {
  const result = piped(filling, parameter, value, from);
  return result instanceof Waiting ? result.promise : result;
}
