/** On a singleton: called after all singletons are made, in the order of their dependencies. */
export interface OnModuleInit {
  onModuleInit(): void | Promise<void>;
}

/** On a singleton: called when everything has its `onModuleInit` behind it, before calls are taken. */
export interface OnApplicationBootstrap {
  onApplicationBootstrap(): void | Promise<void>;
}

/** On a singleton: called first when the application ends, in reverse order. */
export interface OnModuleDestroy {
  onModuleDestroy(): void | Promise<void>;
}

/** On a singleton: called when every `onModuleDestroy` has ended. */
export interface BeforeApplicationShutdown {
  /** @param signal the signal that ends the process, such as `SIGTERM`, if one does */
  beforeApplicationShutdown(signal?: string): void | Promise<void>;
}

/** On a singleton: called when every `beforeApplicationShutdown` has ended. The last of the hooks. */
export interface OnApplicationShutdown {
  /** @param signal the signal that ends the process, such as `SIGTERM`, if one does */
  onApplicationShutdown(signal?: string): void | Promise<void>;
}

/** The names of the hooks. */
export type LifecycleHook =
  | 'onModuleInit'
  | 'onApplicationBootstrap'
  | 'onModuleDestroy'
  | 'beforeApplicationShutdown'
  | 'onApplicationShutdown';

/** Calls a hook if the instance has it. */
export function callHook(instance: unknown, hook: LifecycleHook, signal?: string): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  const method = (instance as Partial<Record<LifecycleHook, unknown>>)[hook]; // any user's class; checked next
  return typeof method === 'function' ? method.call(instance, signal) : undefined;
}
