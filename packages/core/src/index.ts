export { type AgentDraft, AgentPlan, type AgentsReading, CALL_INPUTS, readAgents } from './agent-plan';
export { Arg, Args } from './arg';
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
export { CallSession, type SessionObserver } from './call-session';
export type { Class } from './class-types';
export { type Clock, type ClockTimer, systemClock } from './clock';
export type { AgentContract, HandlerPlan, ToolPlan } from './contract';
export { TOOL_COUNT_LIMIT } from './contract-tools';
export { Deadlines } from './deadlines';
export { describeError, type ErrorDescription, type ErrorDetail, errorName } from './error-description';
export { type CoreErrorCode, coreErrors } from './errors';
export * from './events';
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
export type { Accept, CallStart, OnCallEnd, OnCallStart } from './hooks';
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
export { type EventHandler, type EventSelector, OnEvent, type SelectedEvent } from './on-event';
export { type CallPorts, callPorts } from './ports';
export type { Problem } from './problem';
export {
  type CommonToolOptions,
  type ReadOnlyToolOptions,
  type SideEffectToolOptions,
  Tool,
  type ToolOptions,
} from './tool';
export { ToolCancelled, ToolContext } from './tool-context';
export { VoiceAgent, type VoiceAgentOptions } from './voice-agent';
