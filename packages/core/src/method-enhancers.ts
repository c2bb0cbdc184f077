import type { CallScope, ContainerPlan, ModuleNode, ProviderAddress } from '@callwright/di';
import type { Class } from './class-types';
import { APP_TOKENS } from './enhancers';
import { coreErrors } from './errors';
import type { ExceptionFilter } from './filter';
import type { CanActivate } from './guard';
import type { Interceptor } from './interceptor';
import type { Pipe, PipeReference } from './pipe';
import type { Problem } from './problem';
import { classChain, type EnhancerKind, ownRecords } from './records';

/** Something bound around a method, and where its instance is found. */
export interface Enhancer<T> {
  /** The name of its class: for logs and the manifest. */
  readonly name: string;
  /** Made by hand; undefined when the container makes it. */
  readonly instance: T | undefined;
  /** Its place among the roots of the call's scope; -1 for one made by hand. */
  readonly rootIndex: number;
  /** The class that was named, which an instance of another class may replace in a test. */
  readonly type: Class | undefined;
}

/** Everything bound around one method, in the order in which it acts. */
export interface MethodEnhancers {
  readonly guards: readonly Enhancer<CanActivate>[];
  readonly interceptors: readonly Enhancer<Interceptor>[];
  /** For the arguments of a tool. */
  readonly pipes: readonly Enhancer<Pipe>[];
  /** Of the method first, then of the class, then of the application. */
  readonly filters: readonly Enhancer<ExceptionFilter>[];
}

/** The method that each kind must have, and the decorator that binds it. */
export const KINDS: Readonly<Record<EnhancerKind, { readonly method: string; readonly decorator: string }>> =
  {
    guards: { method: 'canActivate', decorator: '@UseGuards' },
    interceptors: { method: 'intercept', decorator: '@UseInterceptors' },
    pipes: { method: 'transform', decorator: '@UsePipes' },
    filters: { method: 'catch', decorator: '@UseFilters' },
  };

export const ENHANCER_KINDS = Object.keys(KINDS) as readonly EnhancerKind[]; // the keys of the table above

/** Where a class stands: what it names is found from its module. */
export interface Owner {
  readonly type: Class;
  readonly module: ModuleNode;
}

/** A root of a call's scope: a class of the agent's module, or a provider of some module. */
export type ScopeRoot = Class | ProviderAddress;

/**
 * Finds what is bound around the methods of one agent and gives each a place among the roots of its calls' scopes.
 * Reports, never throws.
 */
export class EnhancerBinder {
  readonly problems: Problem[] = [];
  readonly #plan: ContainerPlan;
  readonly #roots: ScopeRoot[];
  readonly #globals: Readonly<Record<EnhancerKind, readonly Enhancer<unknown>[]>>;

  /** @param roots grows by what is bound */
  constructor(plan: ContainerPlan, roots: ScopeRoot[]) {
    this.#plan = plan;
    this.#roots = roots;
    this.#globals = {
      guards: this.#global('guards'),
      interceptors: this.#global('interceptors'),
      pipes: this.#global('pipes'),
      filters: this.#global('filters'),
    };
  }

  /** What acts on a method: the application's, the agent's, those of the class that has it, its own. */
  bind(agent: Owner, owner: Owner, method: PropertyKey): MethodEnhancers {
    const owners = agent.type === owner.type ? [agent] : [agent, owner];
    const levels = (kind: EnhancerKind) => [
      this.#globals[kind],
      ...owners.map((each) => this.#ofClass(kind, each)),
      this.#ofMethod(kind, owner, method),
    ];
    return {
      guards: unique(levels('guards')) as Enhancer<CanActivate>[], // each was seen to have the method of its kind
      interceptors: unique(levels('interceptors')) as Enhancer<Interceptor>[],
      pipes: unique(levels('pipes')) as Enhancer<Pipe>[],
      filters: unique(levels('filters').reverse()) as Enhancer<ExceptionFilter>[],
    };
  }

  /** What the application binds around everything. */
  ofApplication(): MethodEnhancers {
    const { guards, interceptors, pipes, filters } = this.#globals;
    return {
      guards: guards as Enhancer<CanActivate>[], // providers of a token are of its type
      interceptors: interceptors as Enhancer<Interceptor>[],
      pipes: pipes as Enhancer<Pipe>[],
      filters: filters as Enhancer<ExceptionFilter>[],
    };
  }

  /** The pipes of one parameter. */
  pipesOf(owner: Owner, where: string, pipes: readonly PipeReference[]): readonly Enhancer<Pipe>[] {
    return pipes.flatMap((pipe) => this.#bound('pipes', pipe, owner, where) ?? []) as Enhancer<Pipe>[];
  }

  #global(kind: EnhancerKind): readonly Enhancer<unknown>[] {
    const { description } = APP_TOKENS[kind];
    return this.#plan.providersOf(APP_TOKENS[kind]).map((address) => {
      const type = address.type as Class | undefined; // a class that the container makes is a class here too
      const { value = type?.prototype as unknown } = address;
      // What a factory gives shows its methods only when it is made.
      if (value !== undefined && !has(value, KINDS[kind].method)) {
        this.#report(address.module.name, description, type?.name ?? 'an object', kind);
      }
      return {
        name: type?.name ?? description,
        instance: undefined,
        rootIndex: this.#rootIndex(address),
        type,
      };
    });
  }

  #ofClass(kind: EnhancerKind, owner: Owner): readonly Enhancer<unknown>[] {
    const references = baseFirst(owner.type).flatMap((type) => ownRecords(type)?.enhancers[kind] ?? []);
    return this.#all(kind, references, owner, owner.type.name);
  }

  #ofMethod(kind: EnhancerKind, owner: Owner, method: PropertyKey): readonly Enhancer<unknown>[] {
    const references = baseFirst(owner.type).flatMap(
      (type) => ownRecords(type)?.methodEnhancers.get(method)?.[kind] ?? [],
    );
    return this.#all(kind, references, owner, `${owner.type.name}.${String(method)}`);
  }

  #all(
    kind: EnhancerKind,
    references: readonly unknown[],
    owner: Owner,
    where: string,
  ): readonly Enhancer<unknown>[] {
    return references.flatMap((reference) => this.#bound(kind, reference, owner, where) ?? []);
  }

  #bound(kind: EnhancerKind, reference: unknown, owner: Owner, where: string): Enhancer<unknown> | undefined {
    const { method, decorator } = KINDS[kind];
    if (isClass(reference) && has(reference.prototype, method)) {
      const address = { module: owner.module, token: reference as ProviderAddress['token'] };
      const rootIndex = this.#rootIndex(address);
      return { name: reference.name, instance: undefined, rootIndex, type: reference };
    }
    if (!isClass(reference) && has(reference, method)) {
      const name = (reference as object).constructor?.name ?? 'Object';
      return { name, instance: reference, rootIndex: -1, type: undefined };
    }
    this.#report(where, decorator, isClass(reference) ? reference.name : String(reference), kind);
    return undefined;
  }

  #report(where: string, decorator: string, name: string, kind: EnhancerKind): void {
    const message = coreErrors.CW_ENHANCER_INVALID({ where, decorator, name, method: KINDS[kind].method });
    if (this.problems.some((known) => known.message === message)) return;
    this.problems.push({ code: 'CW_ENHANCER_INVALID', message });
  }

  #rootIndex(address: ProviderAddress): number {
    const known = this.#roots.findIndex(
      (root) =>
        typeof root === 'object' &&
        root.module === address.module &&
        root.token === address.token &&
        root.index === address.index,
    );
    return known >= 0 ? known : this.#roots.push(address) - 1;
  }
}

/** The instance in one call. */
export function instanceOf<T>({ instance, rootIndex }: Enhancer<T>, scope: CallScope): T {
  return instance ?? (scope.root(rootIndex) as T); // the binder saw that the class has the method of its kind
}

/** The classes that decorators of a class name, and that the container has to make: for `injectablesOf` of a plan. */
export function enhancerClasses(type: Class): readonly Class[] {
  const found = new Set<Class>();
  for (const current of classChain(type)) {
    const records = ownRecords(current);
    if (!records) continue;
    const lists = [records.enhancers, ...records.methodEnhancers.values()];
    const references = lists.flatMap((list) => ENHANCER_KINDS.flatMap((kind) => list[kind]));
    const parameters = [...records.parameters.values()].flatMap((ofMethod) => [...ofMethod.values()]);
    const pipes = parameters.flatMap((parameter) => ('pipes' in parameter ? parameter.pipes : []));
    for (const reference of [...references, ...pipes]) if (isClass(reference)) found.add(reference);
  }
  return [...found];
}

function baseFirst(type: Class): readonly Class[] {
  return classChain(type).reverse();
}

/** One list; a class that two levels name acts once, where it stands first. */
function unique(levels: readonly (readonly Enhancer<unknown>[])[]): readonly Enhancer<unknown>[] {
  const enhancers = levels.flat();
  return enhancers.filter(
    ({ instance, rootIndex }, index) =>
      enhancers.findIndex((other) => other.instance === instance && other.rootIndex === rootIndex) === index,
  );
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

function has(value: unknown, method: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === 'function'
  );
}
