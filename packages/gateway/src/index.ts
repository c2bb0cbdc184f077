export { type Application, assembleApplication, createApplication, type Replacements } from './application';
export { bootstrap } from './bootstrap';
export { type GatewayErrorCode, gatewayErrors } from './errors';
export type { GatewayOptions, LogOptions } from './options';
export type { TlsFiles } from './tls';
