import { problem } from './errors';
import { isLazyReference } from './lazy';
import type { DynamicModule } from './module';
import { nearestNames } from './nearest';
import type { ModuleEntry, Report } from './node';
import type { ModuleOverride } from './provider';
import { ownRecord } from './record';
import { type Class, tokenName } from './tokens';

/** The modules of a program, imported ones before those that import them. */
export interface ScannedModules {
  /** Undefined if the root is no module. */
  readonly root: ModuleEntry | undefined;
  readonly modules: readonly ModuleEntry[];
  /** The module a reference in `exports` means, among the imports of the exporting module. */
  entryOf(reference: Class | DynamicModule): ModuleEntry | undefined;
  /** The class that stands for `type` after module overrides. */
  effectiveType(type: Class): Class;
}

/** Walks from the root over `imports`. Waits only for promises of dynamic modules. */
export async function scanModules(
  root: Class | DynamicModule,
  overrides: readonly ModuleOverride[],
  report: Report,
): Promise<ScannedModules> {
  const scan = new Scan(overrides, report);
  scan.takeRejections(root, new Set());
  const entry = await scan.add(root, ROOT);
  scan.reportUnusedOverrides();
  return {
    root: entry,
    modules: scan.order,
    entryOf: (reference) => scan.entryOf(reference),
    effectiveType: (type) => typeOf(scan.replaced(type)),
  };
}

/** The place of the module that the program is started with. */
const ROOT = 'The root';

const MODULE_OPTIONS = ['imports', 'providers', 'exports', 'agents'];
const DYNAMIC_OPTIONS = [...MODULE_OPTIONS, 'module', 'global'];

class Scan {
  readonly order: ModuleEntry[] = [];
  readonly #overrides: readonly ModuleOverride[];
  readonly #usedOverrides = new Set<ModuleOverride>();
  readonly #report: Report;
  readonly #entries = new Map<Class | DynamicModule, ModuleEntry>();
  readonly #countByName = new Map<string, number>();

  constructor(overrides: readonly ModuleOverride[], report: Report) {
    this.#overrides = overrides;
    this.#report = report;
  }

  /** A promise in `imports` may be rejected before the walk comes to it; that must not end the process. */
  takeRejections(reference: unknown, seen: Set<unknown>): void {
    if (seen.has(reference)) return;
    seen.add(reference);
    if (reference instanceof Promise) {
      reference.then(undefined, () => undefined); // the walk awaits it again and reports the failure
    } else if (isModule(reference)) {
      for (const source of sourcesOf(reference)) {
        for (const imported of listOf(source.imports)) this.takeRejections(imported, seen);
      }
    }
  }

  async add(reference: unknown, place: string): Promise<ModuleEntry | undefined> {
    const found = await this.#settled(reference, place);
    if (found === undefined) return undefined;
    const target = this.replaced(found);
    const known = this.#entries.get(target);
    if (known !== undefined) return known;
    const entry = this.#newEntry(target);
    this.#entries.set(target, entry);
    for (const source of entry.sources) {
      for (const [index, imported] of listOf(source.imports).entries()) {
        const module = await this.add(imported, `${entry.name}, imports[${index}]`);
        if (module !== undefined && !entry.imports.includes(module)) entry.imports.push(module);
      }
    }
    this.order.push(entry);
    return entry;
  }

  entryOf(reference: Class | DynamicModule): ModuleEntry | undefined {
    return this.#entries.get(this.replaced(reference));
  }

  replaced(reference: Class | DynamicModule): Class | DynamicModule {
    const override = this.#overrides.find((candidate) => candidate.overrideModule === typeOf(reference));
    if (override === undefined) return reference;
    this.#usedOverrides.add(override);
    return override.useModule;
  }

  reportUnusedOverrides(): void {
    const names = this.order.map((entry) => entry.name);
    for (const override of this.#overrides) {
      if (this.#usedOverrides.has(override)) continue;
      const name = tokenName(override.overrideModule);
      const [nearest] = nearestNames(name, names);
      const hint = nearest === undefined ? undefined : `Did you mean ${nearest}?`;
      this.#report.problems.push(problem('CW_DI_OVERRIDE_UNUSED', { name, hint }));
    }
  }

  /** The class or dynamic module that an entry of `imports` stands for. */
  async #settled(reference: unknown, place: string): Promise<Class | DynamicModule | undefined> {
    let found = reference;
    try {
      if (isLazyReference(found)) found = found.resolve();
      if (found instanceof Promise) found = await found;
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      this.#report.problems.push(problem('CW_DI_IMPORT_REJECTED', { place, error: name }));
      return undefined;
    }
    if (isModule(found)) return found;
    const wrong =
      found === undefined
        ? problem('CW_DI_IMPORT_UNDEFINED', { place: place === ROOT ? undefined : place })
        : problem('CW_DI_NOT_A_MODULE', { place, found: describe(found) });
    this.#report.problems.push(wrong);
    return undefined;
  }

  #newEntry(reference: Class | DynamicModule): ModuleEntry {
    const type = typeOf(reference);
    const name = tokenName(type);
    const count = (this.#countByName.get(name) ?? 0) + 1;
    this.#countByName.set(name, count);
    const dynamic = typeof reference === 'function' ? undefined : reference;
    this.#checkOptions(name, ownRecord(type)?.module ?? {}, MODULE_OPTIONS);
    if (dynamic !== undefined) this.#checkOptions(`${name} (dynamic)`, dynamic, DYNAMIC_OPTIONS);
    return {
      id: count === 1 ? name : `${name}#${count}`,
      name,
      type,
      global: (ownRecord(type)?.global ?? false) || dynamic?.global === true,
      sources: sourcesOf(reference),
      imports: [],
      providers: new Map(),
      exportedTokens: new Set(),
      exportedModules: new Set(),
      agents: [],
    };
  }

  #checkOptions(place: string, options: object, known: readonly string[]): void {
    for (const option of Object.keys(options)) {
      if (known.includes(option)) continue;
      const [nearest] = nearestNames(option, known);
      this.#report.problems.push(problem('CW_DI_OPTION_UNKNOWN', { option, place, nearest }));
    }
  }
}

function sourcesOf(reference: Class | DynamicModule): readonly Partial<DynamicModule>[] {
  const recorded = ownRecord(typeOf(reference))?.module ?? {};
  return typeof reference === 'function' ? [recorded] : [recorded, reference];
}

function typeOf(reference: Class | DynamicModule): Class {
  return typeof reference === 'function' ? reference : reference.module;
}

function isModule(reference: unknown): reference is Class | DynamicModule {
  if (typeof reference === 'function') return ownRecord(reference as Class)?.module !== undefined;
  if (typeof reference !== 'object' || reference === null || !('module' in reference)) return false;
  const { module } = reference;
  return typeof module === 'function' && ownRecord(module as Class)?.module !== undefined;
}

function describe(value: unknown): string {
  if (typeof value === 'function') return tokenName(value);
  if (typeof value === 'object' && value !== null && 'module' in value) {
    return `the dynamic module of ${tokenName(value.module)}`;
  }
  return value === null ? 'null' : `a value of type ${typeof value}`;
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  return list ?? [];
}
