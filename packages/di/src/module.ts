import type { LazyReference } from './lazy';
import type { Provider } from './provider';
import type { Class, Token } from './tokens';

/** What can stand in `imports`: a module class, a dynamic module or a promise of one, or a lazy module class. */
export type ModuleImport = Class | DynamicModule | Promise<DynamicModule> | LazyReference<unknown>;

/** What `@Module` takes. */
export interface ModuleMetadata {
  /** Modules whose exports this module sees. */
  imports?: readonly ModuleImport[] | undefined;
  /** What this module makes. Visible inside it, and outside through `exports`. */
  providers?: readonly Provider[] | undefined;
  /** Tokens of own providers, and imported modules to pass on. */
  exports?: readonly (Token | DynamicModule)[] | undefined;
  /** Agent classes: providers of this module with scope `CALL`. */
  agents?: readonly Class[] | undefined;
}

/**
 * A module made by a function call, such as `ConfigModule.forRoot({ ... })`. Its lists are added to those of
 * the class. Its identity is the object: two calls make two modules; to share one, keep it in a constant or
 * make it `global`.
 */
export interface DynamicModule extends ModuleMetadata {
  /** The module class. */
  module: Class;
  /** Whether its exports are visible in every module. @default false */
  global?: boolean | undefined;
}
