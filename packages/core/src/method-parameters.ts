import { isDtoClass, type ScalarParameter } from '@callwright/schema';
import type { Call } from './call';
import { hasClassBrand } from './class-brand';
import type { AnyMethod, Class } from './class-types';
import { coreErrors } from './errors';
import type { CallEvent } from './events';
import type { MethodMember } from './method-members';
import type { Problem } from './problem';
import { hasReflectMetadata } from './records';
import type { ToolContext } from './tool-context';

/** Where the value of one parameter comes from. */
export type ParameterSource =
  | { readonly from: 'arguments'; readonly type: Class }
  | { readonly from: 'argument'; readonly parameter: ScalarParameter; readonly position: number }
  | { readonly from: 'call' }
  | { readonly from: 'context' }
  | { readonly from: 'event' };

interface ParametersReading {
  readonly sources: readonly ParameterSource[];
  readonly problems: readonly Problem[];
}

type MethodRole = 'tool' | 'handler';
type Member = Omit<MethodMember<unknown>, 'record'> & {
  readonly record: { readonly hadReflectMetadata: boolean } | undefined;
};

/** Decides for each parameter of a decorated method where its value comes from. */
export function readParameters(member: Member, where: string, role: MethodRole): ParametersReading {
  const problems: Problem[] = [];
  if (member.hasRestParameter) {
    problems.push({ code: 'CW_TOOL_PARAMETER_REST', message: coreErrors.CW_TOOL_PARAMETER_REST({ where }) });
  }
  if (lacksTypes(member, role)) {
    problems.push(missingMetadata(member, where));
    return { sources: [], problems };
  }
  const sources: ParameterSource[] = [];
  let position = 0;
  for (let index = 0; index < member.parameterCount; index++) {
    const place = `${where}, parameter ${index}`;
    const record = member.parameters.get(index);
    const designType = member.emittedTypes?.[index];
    if (role === 'handler' && index === 0) sources.push({ from: 'event' });
    else if (record?.source === 'argument') {
      const parameter = { name: record.name, designType, options: record.options, where: place };
      sources.push({ from: 'argument', parameter, position: position++ });
    } else if (record?.source === 'arguments')
      sources.push({ from: 'arguments', type: record.type as Class });
    else if (hasClassBrand(designType, 'Call')) sources.push({ from: 'call' });
    else if (hasClassBrand(designType, 'ToolContext') && role === 'tool') sources.push({ from: 'context' });
    else if (role === 'tool' && typeof designType === 'function' && isDtoClass(designType as Class)) {
      sources.push({ from: 'arguments', type: designType as Class });
    } else problems.push(unknownParameter(place, designType, role));
  }
  if (takesArgumentsTwice(sources)) {
    problems.push({
      code: 'CW_TOOL_PARAMETERS_MIXED',
      message: coreErrors.CW_TOOL_PARAMETERS_MIXED({ where }),
    });
  }
  return { sources, problems };
}

/** Whether some parameter has neither an emitted type nor a decorator that says what it is. */
function lacksTypes(member: Member, role: MethodRole): boolean {
  if (member.emittedTypes) return false;
  const first = role === 'handler' ? 1 : 0;
  for (let index = first; index < member.parameterCount; index++)
    if (!member.parameters.has(index)) return true;
  return false;
}

function missingMetadata(member: Member, where: string): Problem {
  if (member.record?.hadReflectMetadata === false && hasReflectMetadata()) {
    return { code: 'CW_META_LOADED_LATE', message: coreErrors.CW_META_LOADED_LATE({ where }) };
  }
  return { code: 'CW_META_NOT_EMITTED', message: coreErrors.CW_META_NOT_EMITTED({ where }) };
}

function unknownParameter(where: string, designType: unknown, role: MethodRole): Problem {
  if (role === 'handler') {
    return {
      code: 'CW_HANDLER_PARAMETER_UNKNOWN',
      message: coreErrors.CW_HANDLER_PARAMETER_UNKNOWN({ where }),
    };
  }
  const type = typeof designType === 'function' ? designType.name : String(designType);
  if (designType === Object || designType === Function || designType === undefined) {
    return {
      code: 'CW_TOOL_PARAMETER_OPAQUE',
      message: coreErrors.CW_TOOL_PARAMETER_OPAQUE({ where, type }),
    };
  }
  return {
    code: 'CW_TOOL_PARAMETER_UNKNOWN',
    message: coreErrors.CW_TOOL_PARAMETER_UNKNOWN({ where, type }),
  };
}

function takesArgumentsTwice(sources: readonly ParameterSource[]): boolean {
  const whole = sources.filter((source) => source.from === 'arguments').length;
  return whole > 1 || (whole === 1 && sources.some((source) => source.from === 'argument'));
}

type Invocation = (instance: object, bound: unknown, context: ToolContext) => unknown;
type Read = (bound: unknown, context: ToolContext) => unknown;

/** A function that calls the method with its parameters filled. Built once, at boot. */
export function compileInvocation(key: PropertyKey, sources: readonly ParameterSource[]): Invocation {
  const [first, second, third] = sources.map(reader);
  switch (sources.length) {
    case 0:
      return (instance) => method(instance, key).call(instance);
    case 1:
      return (instance, bound, context) => method(instance, key).call(instance, first?.(bound, context));
    case 2:
      return (instance, bound, context) =>
        method(instance, key).call(instance, first?.(bound, context), second?.(bound, context));
    case 3:
      return (instance, bound, context) =>
        method(instance, key).call(
          instance,
          first?.(bound, context),
          second?.(bound, context),
          third?.(bound, context),
        );
    default: {
      const readers = sources.map(reader);
      return (instance, bound, context) =>
        method(instance, key).apply(
          instance,
          readers.map((read) => read(bound, context)),
        );
    }
  }
}

/** As {@link compileInvocation}, for an event handler. */
export function compileHandler(
  key: PropertyKey,
  sources: readonly ParameterSource[],
): (instance: object, event: CallEvent, call: Call) => unknown {
  const takesCall = sources.map((source) => source.from === 'call');
  if (!takesCall.includes(true)) return (instance, event) => method(instance, key).call(instance, event);
  return (instance, event, call) =>
    method(instance, key).apply(
      instance,
      takesCall.map((isCall) => (isCall ? call : event)),
    );
}

function reader(source: ParameterSource): Read {
  switch (source.from) {
    case 'argument': {
      const { position } = source;
      return (bound) => (bound as readonly unknown[])[position];
    }
    case 'call':
      return (_bound, context) => context.call;
    case 'context':
      return (_bound, context) => context;
    default:
      return (bound) => bound;
  }
}

/** Read anew each time: a test may spy on the instance or its class. */
function method(instance: object, key: PropertyKey): AnyMethod {
  return (instance as Record<PropertyKey, AnyMethod>)[key] as AnyMethod;
}
