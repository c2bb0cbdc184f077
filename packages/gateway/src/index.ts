export { type Application, createApplication } from './application';
export { bootstrap } from './bootstrap';
export { type GatewayErrorCode, gatewayErrors } from './errors';
export type { GatewayOptions, LogOptions } from './options';
export type { TlsFiles } from './tls';
