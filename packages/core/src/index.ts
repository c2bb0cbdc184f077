export { AgentPlan, CALL_INPUTS, type HandlerBinding, type ToolBinding } from './agent-plan';
export { type AgentDraft, type AgentsReading, readAgents } from './agents-reading';
export { applyDecorators, type ComposableDecorator } from './apply-decorators';
export { Arg, Args, type SchemaArgumentsOptions } from './arg';
export {
  Call,
  type CallState,
  type CommandOptions,
  type ContextUpdate,
  type EndOptions,
  type SayOptions,
  type TransferableCall,
  type TransferOptions,
} from './call';
export { COMMAND_NAMES } from './call-commands';
export { CallSession, type EndLimits, type SessionObserver } from './call-session';
export type { Class } from './class-types';
export { type Clock, type ClockTimer, systemClock } from './clock';
export {
  type ClassConfigOptions,
  type CommonConfigOptions,
  ConfigModule,
  type StandardConfigOptions,
} from './config/config-module';
export type { Environment } from './config/environment';
export { CLOCK, containerOptions } from './container-options';
export type { AgentContract, HandlerPlan, ToolPlan } from './contract';
export { TOOL_COUNT_LIMIT } from './contract-tools';
export { Deadlines } from './deadlines';
export {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  type EnhancerDecorator,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from './enhancers';
export { describeError, type ErrorDescription, type ErrorDetail, errorName } from './error-description';
export { type CoreErrorCode, coreErrors } from './errors';
export * from './events';
export {
  type CommonExecution,
  type EventExecution,
  type ExecutionContext,
  type HookExecution,
  isReadOnlyTool,
  type MethodTarget,
  type OfferContext,
  type TimerExecution,
  type ToolExecution,
} from './execution-context';
export {
  BootError,
  CallClosed,
  CallwrightError,
  CommandError,
  type CommandErrorCode,
  CommandTimeout,
  DeclineCall,
  ToolError,
} from './failures';
export { Catch, type ExceptionFilter, type FilterReference } from './filter';
export { type CanActivate, type GuardReference, GuardRefused } from './guard';
export type {
  Accept,
  CallHooks,
  CallStart,
  OnCallEnd,
  OnCallParked,
  OnCallResumed,
  OnCallStart,
} from './hooks';
export type { Interceptor, InterceptorReference, Next } from './interceptor';
export { CacheInterceptor, type CacheOptions } from './interceptors/cache';
export { RetryInterceptor, type RetryOptions } from './interceptors/retry';
export { TimeoutInterceptor, type TimeoutOptions } from './interceptors/timeout';
export { TimingInterceptor, type TimingOptions } from './interceptors/timing';
export { ArgumentsError } from './invocation';
export {
  CallerIdentity,
  type CallOpening,
  type Command,
  type ContextMessage,
  type ContextRole,
  type Link,
  type LinkCapabilities,
  type ToolCancelReason,
  type ToolDeclaration,
  type ToolKind,
  type ToolRequest,
} from './link';
export { jsonLine, type LogStream, lineSink, terminalLine } from './log-lines';
export {
  LOG_LEVELS,
  type LogEntry,
  type LogFields,
  Logger,
  type LogLevel,
  type LogSink,
  silentSink,
} from './logger';
export {
  type AgentManifest,
  CALL_LIMITS,
  type HandlerManifest,
  type HookManifest,
  type MethodManifest,
  type TimerManifest,
  type ToolManifest,
} from './manifest';
export { type EventHandler, type EventSelector, OnEvent, type SelectedEvent } from './on-event';
export {
  CurrentCall,
  CurrentTool,
  type CustomParameterDecorator,
  createParamDecorator,
} from './parameter-decorators';
export { type PinoLike, pinoSink } from './pino-sink';
export type { Pipe, PipeReference, PipeTarget } from './pipe';
export { DefaultValuePipe } from './pipes/default-value';
export { ParseDatePipe } from './pipes/parse-date';
export { type ParseE164Options, ParseE164Pipe } from './pipes/parse-e164';
export { TrimPipe } from './pipes/trim';
export { plainWord } from './plain-word';
export { type CallPorts, callPorts } from './ports';
export type { Problem } from './problem';
export { type MetadataTarget, type ReflectableDecorator, Reflector } from './reflector';
export {
  isStandardSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './standard-schema';
export { Interval, Timeout, type TimerDecorator } from './timers';
export {
  type CommonToolOptions,
  type ReadOnlyToolOptions,
  type SideEffectToolOptions,
  Tool,
  type ToolOptions,
} from './tool';
export { ToolCancelled, ToolContext } from './tool-context';
export { VoiceAgent, type VoiceAgentOptions } from './voice-agent';
