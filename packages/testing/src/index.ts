export type { DialogueEvent } from './bot-voice';
export * from './brain';
export * from './call-matchers';
export type { WireFrame } from './call-record';
export * from './captured-log';
export type { TransferDesk, TransferOutcome } from './command-desk';
export * from './detached-call';
export { DialFailure } from './dial';
export type { Turn } from './dialogue';
export * from './errors';
export * from './expectations';
export { FakeCall } from './fake-call';
export * from './fake-voice-server';
export { LinkRefused } from './handshake';
export type { LinkTimes } from './link-parts';
export * from './llm';
export { type ApplicationTransportOptions, applicationTransport } from './memory-application';
export * from './memory-transport';
export * from './recorded-brain';
export { formatRecording, parseRecording, type RecordedEntry, type Recording } from './recording';
export * from './recording-difference';
export { type ReplayOptions, type ReplayReport, replay } from './replay';
export * from './rules';
export type {
  Scenario,
  ScenarioExpectation,
  ScenarioStep,
  SimpleVerb,
  StepExpectation,
} from './scenario';
export { parseScenario } from './scenario-file';
export * from './scenario-report';
export * from './scenario-runner';
export * from './script';
export { type Heard, Step, type StepArgs, type StepLine, when } from './step';
export * from './test-application';
export type { OverrideBy, OverrideModuleBy } from './test-overrides';
export {
  type Mocker,
  Test,
  TestingModule,
  type TestingModuleBuilder,
  type TestingModuleOptions,
} from './testing-module';
export * from './timeline';
export type {
  BotEntry,
  CommandEntry,
  ConfirmationEntry,
  EndEntry,
  LinkEntry,
  NoteEntry,
  RefusedEntry,
  ToolEntry,
  TranscriptEntry,
  UserEntry,
} from './transcript';
export * from './transcript-printer';
export * from './transport';
export * from './virtual-clock';
export * from './web-socket-transport';
