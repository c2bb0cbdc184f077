import type { DynamicModule } from './module';
import type { Problem } from './problem';
import type { Scope } from './scope';
import type { Class, Token } from './tokens';

/** One module of the plan. A dynamic module is one node for each object. */
export interface ModuleNode {
  /** Unique in the plan: the name, with `#2` and so on from the second of that name. */
  readonly id: string;
  /** The name of the class. */
  readonly name: string;
  readonly type: Class;
}

/** A module while it is planned; frozen with the plan. */
export interface ModuleEntry extends ModuleNode {
  global: boolean;
  /** What the user wrote: of the class, then of the dynamic module. */
  readonly sources: readonly Partial<DynamicModule>[];
  readonly imports: ModuleEntry[];
  readonly providers: Map<Token, ProviderEntry[]>;
  readonly exportedTokens: Set<Token>;
  readonly exportedModules: Set<ModuleEntry>;
  readonly agents: Class[];
}

/** How an instance is made. */
export type Recipe =
  | { readonly kind: 'class'; readonly type: Class }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'factory'; readonly create: (...args: never[]) => unknown }
  | { readonly kind: 'existing' };

/** One thing a provider asks for. */
export interface InjectionRequest {
  readonly token: Token;
  readonly optional: boolean;
  readonly lazy: boolean;
  /** `parameter 0 of the constructor`, as messages show it. */
  readonly place: string;
  /** The property to set; a parameter if undefined. */
  readonly property: string | symbol | undefined;
}

/** What a request gets. */
export type Binding =
  | { readonly kind: 'provider'; readonly provider: ProviderEntry }
  | { readonly kind: 'many'; readonly providers: readonly ProviderEntry[] }
  /** `outside` is what stands for it outside of calls: a provider that every module sees. */
  | {
      readonly kind: 'input';
      readonly index: number;
      readonly token: Token;
      readonly outside: ProviderEntry | undefined;
    }
  | { readonly kind: 'moduleRef'; readonly module: ModuleEntry }
  | { readonly kind: 'callScopes' }
  | { readonly kind: 'absent' };

/** A provider while it is planned; frozen with the plan. */
export interface ProviderEntry {
  readonly module: ModuleEntry;
  readonly token: Token;
  /** Of the token, as messages show it. */
  readonly name: string;
  readonly multi: boolean;
  readonly scope: Scope;
  readonly recipe: Recipe;
  /** The class of the module itself: made last in its module, and visible only inside. */
  readonly isModuleClass: boolean;
  requests: readonly InjectionRequest[];
  /** In the order of `requests`; filled when everything is registered. */
  bindings: readonly Binding[];
}

/** Collects what is wrong while the plan is made. */
export interface Report {
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** `BookingService (BookingModule)`. */
export function providerLabel(provider: ProviderEntry): string {
  return `${provider.name} (${provider.module.name})`;
}
