import type { ArgOptions } from '@callwright/schema';
import type { Class } from './class-types';
import type { ExecutionContext } from './execution-context';
import type { PipeReference } from './pipe';
import type { ToolOptions } from './tool';
import type { VoiceAgentOptions } from './voice-agent';

/**
 * What decorators leave behind. Decorators only record; `contract.ts` is the one reader. The records hang on the
 * class itself under a registered symbol, so that two copies of this package in one tree see the same ones, and each
 * class has its own: a derived class never changes its base.
 */
const RECORDS = Symbol.for('callwright:core:records');

/** One decorated method. */
export interface ToolRecord {
  readonly key: PropertyKey;
  readonly options: ToolOptions;
  /** Whether the metadata library was loaded when the decorator ran: tells "no emitter" from "loaded too late". */
  readonly hadReflectMetadata: boolean;
}

/** One `@OnEvent`; a method may carry several. */
export interface HandlerRecord {
  readonly key: PropertyKey;
  /** A wire name, or a family such as `turn.*`. */
  readonly selector: string;
  readonly hadReflectMetadata: boolean;
}

/** What a decorator said of one parameter of a method. */
export type ParameterRecord =
  | {
      readonly source: 'argument';
      readonly name: string;
      readonly options: ArgOptions;
      readonly pipes: readonly PipeReference[];
    }
  | {
      readonly source: 'arguments';
      /** A class, or a schema of the Standard Schema kind. */
      readonly type: unknown;
      readonly jsonSchema: Readonly<Record<string, unknown>> | undefined;
      readonly pipes: readonly PipeReference[];
    }
  | {
      readonly source: 'custom';
      readonly resolve: ParameterResolver;
      readonly input: unknown;
      readonly pipes: readonly PipeReference[];
    }
  | { readonly source: 'call' }
  | { readonly source: 'context' };

/** Provides the value of a custom parameter; a promise of it is awaited. */
export type ParameterResolver = (input: unknown, context: ExecutionContext) => unknown;

/** The four kinds of what can be bound around a method. */
export type EnhancerKind = 'guards' | 'interceptors' | 'pipes' | 'filters';

/** What stands in `@UseGuards` and its like: classes, or instances made by hand. Checked when the contract is read. */
export type EnhancerRecords = Readonly<Record<EnhancerKind, unknown[]>>;

/** One `@Interval` or `@Timeout`. */
export interface TimerRecord {
  readonly repeats: boolean;
  readonly delayMs: number;
}

/** What was recorded on one class, its bases not included. */
export interface ClassRecords {
  agent: VoiceAgentOptions | undefined;
  readonly tools: Map<PropertyKey, ToolRecord>;
  readonly handlers: Map<PropertyKey, HandlerRecord[]>;
  /** By method, then by the parameter's index. */
  readonly parameters: Map<PropertyKey, Map<number, ParameterRecord>>;
  /** Bound around every method of the class. */
  readonly enhancers: EnhancerRecords;
  readonly methodEnhancers: Map<PropertyKey, EnhancerRecords>;
  /** Values of decorators made by `Reflector.createDecorator`, by the decorator's key. */
  readonly metadata: Map<symbol, unknown>;
  readonly methodMetadata: Map<PropertyKey, Map<symbol, unknown>>;
  readonly timers: Map<PropertyKey, TimerRecord[]>;
  /** `@Catch`: the exceptions that a filter takes. */
  catches: readonly Class[] | undefined;
}

/** The class's own records, made when missing: for decorators. */
export function recordsToWrite(type: object): ClassRecords {
  const own = ownRecords(type);
  if (own) return own;
  const records: ClassRecords = {
    agent: undefined,
    tools: new Map(),
    handlers: new Map(),
    parameters: new Map(),
    enhancers: noEnhancers(),
    methodEnhancers: new Map(),
    metadata: new Map(),
    methodMetadata: new Map(),
    timers: new Map(),
    catches: undefined,
  };
  Object.defineProperty(type, RECORDS, { value: records });
  return records;
}

function noEnhancers(): EnhancerRecords {
  return { guards: [], interceptors: [], pipes: [], filters: [] };
}

/** The lists of one method of the class, made when missing: for decorators. */
export function methodEnhancersToWrite(type: object, key: PropertyKey): EnhancerRecords {
  const { methodEnhancers } = recordsToWrite(type);
  const known = methodEnhancers.get(key);
  if (known) return known;
  const made = noEnhancers();
  methodEnhancers.set(key, made);
  return made;
}

/** The class's own records, if any decorator ran on it: for the contract's reader. */
export function ownRecords(type: object): ClassRecords | undefined {
  return Object.getOwnPropertyDescriptor(type, RECORDS)?.value as ClassRecords | undefined;
}

/** The class and its bases, nearest first, up to but without `Object`. */
export function classChain(type: Class): Class[] {
  const chain: Class[] = [];
  for (
    let current: unknown = type;
    typeof current === 'function' && current !== Function.prototype;
    current = Object.getPrototypeOf(current)
  ) {
    chain.push(current as Class);
  }
  return chain;
}

/** Whether `Reflect.getMetadata` exists now. */
export function hasReflectMetadata(): boolean {
  return typeof (Reflect as { getMetadata?: unknown }).getMetadata === 'function';
}
