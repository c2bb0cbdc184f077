import 'reflect-metadata';

export type { CallScope } from './call-scope';
export { checkedFactory } from './checked-factory';
export {
  type AsyncModuleOptions,
  type ConfigurableModule,
  ConfigurableModuleBuilder,
  type ConfigurableModuleClass,
  type InstancesOf,
  type ModuleExtras,
} from './configurable-module';
export { Container, type InstantiateOptions } from './container';
export { type AgentNode, ContainerPlan, type ProviderAddress } from './container-plan';
export {
  Global,
  Inject,
  Injectable,
  type InjectableOptions,
  type InjectDecorator,
  Module,
  Optional,
} from './decorators';
export { DiError, type DiErrorCode, diErrors } from './errors';
export {
  type ContainerGraph,
  type GraphDependency,
  type GraphModule,
  type GraphProvider,
  graphToMermaid,
} from './graph';
export { CallScopes, type GetOptions, ModuleRef } from './handles';
export { Lazy, type LazyReference, lazy } from './lazy';
export type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from './lifecycle';
export type { DynamicModule, ModuleImport, ModuleMetadata } from './module';
export { suggestion } from './nearest';
export type { ModuleNode } from './node';
export { type PlanOptions, planContainer } from './plan';
export type { Problem } from './problem';
export type {
  ClassProvider,
  ExistingProvider,
  FactoryDependency,
  FactoryProvider,
  ModuleOverride,
  Override,
  Provider,
  ValueProvider,
} from './provider';
export { Scope } from './scope';
export type { ScopeFactory } from './scope-factory';
export type { CloseOptions, TeardownTimer } from './teardown';
export {
  type AbstractClass,
  type Class,
  InjectionToken,
  type InjectionTokenOptions,
  identifyToken,
  type Token,
} from './tokens';
