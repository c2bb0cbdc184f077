export type { DialogueEvent } from './bot-voice';
export * from './brain';
export * from './call-matchers';
export type { WireFrame } from './call-record';
export type { TransferDesk, TransferOutcome } from './command-desk';
export { DialFailure } from './dial';
export type { Turn } from './dialogue';
export * from './errors';
export * from './expectations';
export { FakeCall } from './fake-call';
export * from './fake-voice-server';
export { LinkRefused } from './handshake';
export type { LinkTimes } from './link-parts';
export { type ApplicationTransportOptions, applicationTransport } from './memory-application';
export * from './memory-transport';
export * from './rules';
export * from './script';
export { type Heard, Step, type StepArgs, type StepLine, when } from './step';
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
