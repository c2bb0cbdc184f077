import { isDtoClass, type ScalarParameter } from '@callwright/schema';
import type { Call } from './call';
import { hasClassBrand } from './class-brand';
import type { AnyMethod, Class } from './class-types';
import { coreErrors } from './errors';
import type { CallEvent } from './events';
import type { MethodMember } from './method-members';
import type { PipeReference } from './pipe';
import type { Problem } from './problem';
import { hasReflectMetadata, type ParameterRecord, type ParameterResolver } from './records';
import { isStandardSchema, type StandardSchema } from './standard-schema';
import type { ToolContext } from './tool-context';

/** Where the value of one parameter comes from. */
export type ParameterSource = (
  | { readonly from: 'arguments'; readonly type: Class; readonly schema?: undefined }
  | {
      readonly from: 'arguments';
      readonly type?: undefined;
      readonly schema: StandardSchema;
      readonly jsonSchema: Readonly<Record<string, unknown>> | undefined;
    }
  | { readonly from: 'argument'; readonly parameter: ScalarParameter; readonly position: number }
  | { readonly from: 'custom'; readonly resolve: ParameterResolver; readonly input: unknown }
  | { readonly from: 'call' }
  | { readonly from: 'context' }
  | { readonly from: 'event' }
) & {
  /** `LuigiAgent.bookTable, parameter 0`. */
  readonly where: string;
  /** The emitted type, or the one its decorator gave. */
  readonly valueType: unknown;
  /** Bound to this parameter alone. */
  readonly pipes: readonly PipeReference[];
};

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
    const designType = member.emittedTypes?.[index];
    const given = { where: place, valueType: designType, pipes: [] };
    const record = member.parameters.get(index);
    const source =
      role === 'handler' && index === 0
        ? { ...given, from: 'event' as const }
        : record
          ? recordedSource(record, given, position, role)
          : injectedSource(designType, given, role);
    if (source?.from === 'argument') position++;
    if (source) sources.push(source);
    else if (role === 'handler') problems.push(uninjectable(place));
    else problems.push(unknownParameter(place, designType, member.parameterNames[index] || 'name'));
  }
  if (takesArgumentsTwice(sources)) {
    problems.push({
      code: 'CW_TOOL_PARAMETERS_MIXED',
      message: coreErrors.CW_TOOL_PARAMETERS_MIXED({ where }),
    });
  }
  return { sources, problems };
}

interface ParameterGiven {
  readonly where: string;
  readonly valueType: unknown;
  readonly pipes: readonly PipeReference[];
}

/** What a decorator says; undefined when a handler has no such thing. */
function recordedSource(
  record: ParameterRecord,
  given: ParameterGiven,
  position: number,
  role: MethodRole,
): ParameterSource | undefined {
  if (record.source === 'call') return { ...given, from: 'call' };
  if (record.source === 'custom') {
    const { resolve, input, pipes } = record;
    return { ...given, from: 'custom', resolve, input, pipes };
  }
  if (role === 'handler') return undefined;
  switch (record.source) {
    case 'context':
      return { ...given, from: 'context' };
    case 'argument': {
      const { name, options, pipes } = record;
      const parameter = { name, designType: given.valueType, options, where: given.where };
      return { ...given, from: 'argument', parameter, position, pipes };
    }
    case 'arguments': {
      const { type, jsonSchema, pipes } = record;
      if (!isStandardSchema(type)) return { ...given, from: 'arguments', type: type as Class, pipes };
      return { ...given, from: 'arguments', schema: type, jsonSchema, pipes };
    }
  }
}

/** What the parameter's own type asks for. */
function injectedSource(
  designType: unknown,
  given: ParameterGiven,
  role: MethodRole,
): ParameterSource | undefined {
  if (hasClassBrand(designType, 'Call')) return { ...given, from: 'call' };
  if (role === 'handler') return undefined;
  if (hasClassBrand(designType, 'ToolContext')) return { ...given, from: 'context' };
  if (typeof designType !== 'function' || !isDtoClass(designType as Class)) return undefined;
  return { ...given, from: 'arguments', type: designType as Class };
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

function uninjectable(where: string): Problem {
  return {
    code: 'CW_HANDLER_PARAMETER_UNKNOWN',
    message: coreErrors.CW_HANDLER_PARAMETER_UNKNOWN({ where }),
  };
}

/** Types of single values; with swc, the type of an enum is the enum's object. */
const SINGLE_VALUES: readonly unknown[] = [String, Number, Boolean, Date, Array, Set, Map, BigInt];

function unknownParameter(where: string, designType: unknown, name: string): Problem {
  const type = typeof designType === 'object' ? 'an enum' : nameOfType(designType);
  if (designType === Object || designType === Function || designType === undefined) {
    return {
      code: 'CW_TOOL_PARAMETER_OPAQUE',
      message: coreErrors.CW_TOOL_PARAMETER_OPAQUE({ where, type, name }),
    };
  }
  const isSingleValue = typeof designType !== 'function' || SINGLE_VALUES.includes(designType);
  return {
    code: 'CW_TOOL_PARAMETER_UNKNOWN',
    message: coreErrors.CW_TOOL_PARAMETER_UNKNOWN({ where, type, name, isSingleValue }),
  };
}

function nameOfType(designType: unknown): string {
  return typeof designType === 'function' ? designType.name : String(designType);
}

function takesArgumentsTwice(sources: readonly ParameterSource[]): boolean {
  const whole = sources.filter((source) => source.from === 'arguments').length;
  return whole > 1 || (whole === 1 && sources.some((source) => source.from === 'argument'));
}

type Invocation = (instance: object, bound: unknown, context: ToolContext) => unknown;
type Read = (bound: unknown, context: ToolContext) => unknown;

/** Whether the parameters need nothing but the bound arguments and the context: no pipes, nothing custom. */
export function areDirect(sources: readonly ParameterSource[]): boolean {
  return sources.every((source) => source.from !== 'custom' && source.pipes.length === 0);
}

/** A function that calls the method with its {@link areDirect direct} parameters filled. Built once, at boot. */
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

/** The instance's method. Read anew each time: a test may spy on the instance or its class. */
export function method(instance: object, key: PropertyKey): AnyMethod {
  return (instance as Record<PropertyKey, AnyMethod>)[key] as AnyMethod;
}
