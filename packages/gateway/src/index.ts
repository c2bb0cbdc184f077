export type { Application } from './application';
export { assembleApplication, createApplication, type Replacements } from './assembly';
export { bootstrap } from './bootstrap';
export { APP_CONNECTION_GUARD, type ConnectionGuard, type ConnectionRequest } from './connection-guard';
export { type GatewayErrorCode, gatewayErrors } from './errors';
export type { ApplicationManifest, ServedAgentManifest } from './manifest';
export type { GatewayOptions, LogOptions, RecordingOption } from './options';
export type { RecordingSink, RecordingTarget } from './recording-sink';
export type { TlsFiles } from './tls';
