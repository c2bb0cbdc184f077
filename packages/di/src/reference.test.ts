import * as fc from 'fast-check';
import {
  type CallScope,
  type Class,
  type ContainerPlan,
  Inject,
  Injectable,
  InjectionToken,
  type Lazy,
  lazy,
  Module,
  type Provider,
  planContainer,
  Scope,
} from '.';
import { captives, hasCycle, NaiveContainer, type NaiveProvider } from './reference.test-support';

/** One node of a random graph. Needs are indices of nodes; those that do not exist are missing providers. */
interface Sketch {
  readonly scope: Scope;
  readonly factory: boolean;
  readonly module: number;
  readonly needs: readonly { readonly to: number; readonly lazy: boolean }[];
  readonly throws: boolean;
}

const NODES = 9;
const MODULES = 3;

const sketches = (options: { acyclic: boolean; failing: boolean }) =>
  fc
    .array(
      fc.record({
        scope: fc.constantFrom(Scope.SINGLETON, Scope.CALL, Scope.CALL, Scope.TRANSIENT),
        factory: fc.boolean(),
        module: fc.nat(MODULES - 1),
        needs: fc.array(fc.record({ to: fc.nat(NODES), lazy: fc.boolean() }), { maxLength: 4 }),
        throws: options.failing ? fc.integer({ min: 0, max: 5 }).map((n) => n === 0) : fc.constant(false),
      }),
      { minLength: 1, maxLength: NODES },
    )
    .map((nodes): readonly Sketch[] =>
      options.acyclic ? nodes.map((node, index) => tamed(node, index, nodes)) : nodes,
    );

/** Keeps only needs that make a sound program: to earlier nodes (lazily to any), no captives, no lazy transient. */
function tamed(node: Sketch, index: number, nodes: readonly Sketch[]): Sketch {
  const needs = node.needs.filter(({ to, lazy: isLazy }) => {
    const target = nodes[to];
    if (target === undefined || (!isLazy && to >= index)) return false;
    if (isLazy && target.scope === Scope.TRANSIENT) return false;
    // A transient node is kept free of CALL needs, so that a singleton may hold it.
    return node.scope === Scope.CALL || target.scope !== Scope.CALL;
  });
  return { ...node, needs, throws: node.throws && node.scope === Scope.CALL };
}

/** What both containers make: a name and what it was given. */
class Made {
  constructor(
    readonly name: string,
    readonly given: readonly unknown[],
    disposed: string[],
  ) {
    Object.defineProperty(this, Symbol.dispose, { value: () => disposed.push(name) });
  }
}

interface Program {
  readonly plan: ContainerPlan;
  readonly naive: ReadonlyMap<InjectionToken<Made>, NaiveProvider>;
  readonly tokens: readonly InjectionToken<Made>[];
  readonly disposed: string[];
}

async function programOf(nodes: readonly Sketch[]): Promise<Program> {
  const disposed: string[] = [];
  const tokens = Array.from({ length: NODES + 1 }, (_, index) => new InjectionToken<Made>(`N${index}`));
  const tokenAt = (index: number): InjectionToken<Made> => tokens[index] ?? new InjectionToken('none');
  const lists: Provider[][] = Array.from({ length: MODULES }, () => []);
  const naive = new Map<InjectionToken<Made>, NaiveProvider>();
  const exported: InjectionToken<Made>[][] = Array.from({ length: MODULES }, () => []);
  for (const [index, node] of nodes.entries()) {
    const create = (...given: readonly unknown[]): Made => {
      if (node.throws) throw new RangeError(`N${index}`);
      return new Made(`N${index}`, given, disposed);
    };
    lists[node.module]?.push(providerOf(node, tokenAt(index), tokenAt, create));
    exported[node.module]?.push(tokenAt(index));
    naive.set(tokenAt(index), {
      scope: node.scope,
      needs: node.needs.map((need) => ({ token: tokenAt(need.to), lazy: need.lazy })),
      create,
    });
  }
  const modules = lists.map((providers, index): Class => {
    class RandomModule {}
    const exports = exported[index] ?? [];
    Module({ providers, exports, imports: [lazy(() => Everything)] })(RandomModule);
    return RandomModule;
  });
  class Everything {}
  Module({ imports: modules, exports: modules })(Everything);
  return { plan: await planContainer(Everything), naive, tokens, disposed };
}

function providerOf(
  node: Sketch,
  provide: InjectionToken<Made>,
  tokenAt: (index: number) => InjectionToken<Made>,
  create: (...given: readonly unknown[]) => Made,
): Provider {
  const references = node.needs.map(({ to, lazy: isLazy }) =>
    isLazy ? lazy(() => tokenAt(to)) : tokenAt(to),
  );
  if (node.factory) return { provide, useFactory: create, inject: references, scope: node.scope };
  const type = class {
    constructor(...given: readonly unknown[]) {
      // biome-ignore lint/correctness/noConstructorReturn: classes and factories then make the same objects
      return create(...given);
    }
  };
  Injectable()(type);
  for (const [index, reference] of references.entries()) {
    (Inject(reference as InjectionToken<Made>) as ParameterDecorator)(type, undefined, index); // also lazy ones
  }
  return { provide, useClass: type, scope: node.scope };
}

/** The object graph from a root as text: names, and numbers where an instance is met again. */
function drawn(roots: readonly unknown[]): string {
  const numbers = new Map<unknown, number>();
  const draw = (value: unknown): string => {
    if (!(value instanceof Made)) return isLazy(value) ? `lazy ${draw(value.get())}` : String(value);
    const known = numbers.get(value);
    if (known !== undefined) return `#${known}`;
    numbers.set(value, numbers.size);
    return `${value.name}(${value.given.map(draw).join(', ')})`;
  };
  return roots.map(draw).join('; ');
}

const isLazy = (value: unknown): value is Lazy<unknown> =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';
const namesOf = (instances: readonly unknown[]): readonly string[] =>
  instances.map((instance) => (instance as Made).name);

const noGeneratedCode = <T>(run: () => T): T => {
  const original = globalThis.Function;
  globalThis.Function = function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context');
  } as unknown as FunctionConstructor;
  try {
    return run();
  } finally {
    globalThis.Function = original;
  }
};

describe.each([
  ['compiled', <T>(run: () => T): T => run()],
  ['interpreted, where code may not be generated', noGeneratedCode],
])('random programs, %s', (_kind, under) => {
  test('agree with the naive container on instances, sharing and order, and end in reverse', async () => {
    const roots = fc.array(fc.nat(NODES - 1), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sketches({ acyclic: true, failing: false }), roots, async (nodes, indices) => {
        const { plan, naive, tokens, disposed } = await programOf(nodes);
        expect(plan.problems).toEqual([]);
        const container = await plan.instantiate();
        const reference = new NaiveContainer(naive);
        const asked = indices.map(
          (index) => tokens[index % nodes.length] ?? new InjectionToken<Made>('none'),
        );
        const { root } = plan;
        if (root === undefined) throw new Error('no root');
        const factory = under(() => container.scopeFactory(root, asked));
        const expected = [reference.open(asked), reference.open(asked)];
        const opened = [factory.open([]), factory.open([])];
        const rootsOf = (scope: CallScope) => asked.map((_, index) => scope.root(index));
        expect(drawn(opened.flatMap(rootsOf))).toBe(drawn(expected.flatMap((scope) => scope.roots)));
        const made = opened.map((scope) => namesOf(scope.instances()));
        expect(made).toEqual(expected.map((scope) => namesOf(scope.made)));
        for (const [index, scope] of opened.entries()) {
          disposed.length = 0;
          expect(await scope.close()).toEqual([]);
          expect(disposed).toEqual([...(made[index] ?? [])].reverse());
        }
      }),
      { numRuns: 300 },
    );
  });

  test('agree on the error of a failing constructor, and tear down what was made before it', async () => {
    await fc.assert(
      fc.asyncProperty(sketches({ acyclic: true, failing: true }), async (nodes) => {
        const { plan, naive, tokens, disposed } = await programOf(nodes);
        const container = await plan.instantiate();
        const asked = tokens.slice(0, nodes.length);
        const { root } = plan;
        if (root === undefined) throw new Error('no root');
        const factory = under(() => container.scopeFactory(root, asked));
        const made: string[] = [];
        const watched = new Map(
          [...naive].map(([token, provider]) => {
            const create = (...given: readonly unknown[]): unknown => {
              const instance = provider.create(...given) as Made;
              if (provider.scope !== 'SINGLETON') made.push(instance.name);
              return instance;
            };
            return [token, { ...provider, create }] as const;
          }),
        );
        const reference = new NaiveContainer(watched);
        made.length = 0;
        const expected = outcomeOf(() => reference.open(asked));
        disposed.length = 0;
        const outcome = outcomeOf(() => factory.open([]));
        expect(outcome).toBe(expected);
        if (expected !== 'opened') expect(disposed).toEqual([...made].reverse());
      }),
      { numRuns: 300 },
    );
  });
});

function outcomeOf(run: () => unknown): string {
  try {
    run();
    return 'opened';
  } catch (error) {
    return String(error);
  }
}

test('random programs: what is wrong is found, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(sketches({ acyclic: false, failing: false }), async (nodes) => {
      const { plan, naive } = await programOf(nodes);
      const codes = new Set(plan.problems.map(({ code }) => code));
      const missing = nodes.some(({ needs }) => needs.some(({ to }) => to >= nodes.length));
      expect(codes.has('CW_DI_PROVIDER_MISSING')).toBe(missing);
      expect(codes.has('CW_DI_CYCLE')).toBe(hasCycle(naive));
      expect(codes.has('CW_DI_CAPTIVE_SCOPE')).toBe(captives(naive).length > 0);
      const lazyTransient = nodes.some(({ needs }) =>
        needs.some((need) => need.lazy && nodes[need.to]?.scope === Scope.TRANSIENT),
      );
      const others = missing || hasCycle(naive) || captives(naive).length > 0;
      if (!others) expect(codes.has('CW_DI_LAZY_TRANSIENT')).toBe(lazyTransient);
    }),
    { numRuns: 500 },
  );
});
