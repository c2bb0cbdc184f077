export { type CliErrorCode, cliErrors } from './errors';
export { runCli } from './run-cli';
export type { CliSystem, TextTarget } from './system';
