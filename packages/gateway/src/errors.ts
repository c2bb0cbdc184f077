import { CallwrightError, type Problem } from '@callwright/core';
import { suggestion } from '@callwright/di';

/**
 * The errors of this package: code → message. A message says what, where, why and how to mend it, in at most six
 * lines, and never holds a token or anything of a caller. `docs/reference/errors.md` has a section for each code.
 */
export const gatewayErrors = {
  CW_OPTION_UNKNOWN: (d: { option: string; known: readonly string[] }) =>
    `There is no option "${d.option}"${suggestion(lastName(d.option), d.known)}.\nAn option without effect would be a surprise later, so it is refused.\nMend: remove it, or use one of ${d.known.join(', ')}.`,
  CW_OPTION_INVALID: (d: { option: string; found: string; expected: string }) =>
    `The option ${d.option} is ${d.found}.\nMend: give ${d.expected}.`,
  CW_TOKEN_INVALID: (d: { option: string; reason: string }) =>
    `${d.option} ${d.reason}, so no voice server could present it.\nA token is visible ASCII; blanks may stand inside it, not around it.\nMend: give the exact token, or leave it out to serve a loopback address without authentication.`,
  CW_UNAUTHENTICATED_HOST: (d: { host: string }) =>
    `There is no token, and the host "${d.host}" is not a loopback address: anybody who reaches it could take calls.\nMend: set BRISVOX_AGENT_TOKEN (or the option token) here and on the voice server,\nor use the host 127.0.0.1 to serve this machine only,\nor, if the network in front decides who may connect, set allowUnauthenticated: true (CALLWRIGHT_ALLOW_UNAUTHENTICATED=1).`,
  CW_TLS_UNUSABLE: (d: { option: string; file: string; reason: string }) =>
    `The file "${d.file}" of ${d.option} ${d.reason}.\nMend: give a PEM certificate with its chain, and its unencrypted PEM private key.`,
  CW_PORT_IN_USE: (d: { host: string; port: number }) =>
    `Port ${d.port} of ${d.host} is in use by another process.\nMend: stop that process, or choose another port (option port, or PORT; 0 takes any free one).`,
  CW_PORT_FORBIDDEN: (d: { host: string; port: number }) =>
    `This process may not listen on port ${d.port} of ${d.host}: the system reserves it.\nMend: use a port of 1024 or more (option port, or PORT), or let a proxy take the low one.`,
  CW_HOST_UNUSABLE: (d: { host: string; reason: string }) =>
    `Cannot listen on the host "${d.host}": ${d.reason}.\nMend: use an address of this machine (option host, or HOST): 127.0.0.1 for this machine only,\n0.0.0.0 for every IPv4 address, :: for every address of both families.`,
  CW_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `Cannot listen on port ${d.port} of ${d.host}: the system answered ${d.reason}.\nMend: look that word up in the system's manual; the application did not start.`,
  CW_RECORDING_DIRECTORY: (d: { directory: string; reason: string }) =>
    `Calls cannot be recorded in "${d.directory}": the system answered ${d.reason}.\nMend: name a directory that this process may make and write to (option record), or leave the option out.`,
  CW_LISTEN_TWICE: () =>
    'listen() was called on an application that already listens, or was closed.\nMend: call it once; create a new application to listen again.',
} as const;

/** `certFile` of `tls.certFile`: what is known is the names within that object. */
function lastName(option: string): string {
  return option.slice(option.lastIndexOf('.') + 1);
}

/** A code of this package's error table. */
export type GatewayErrorCode = keyof typeof gatewayErrors;

type DetailsOf<Code extends GatewayErrorCode> = Parameters<(typeof gatewayErrors)[Code]>;

/** A boot problem of this package. */
export function gatewayProblem<Code extends GatewayErrorCode>(
  code: Code,
  ...details: DetailsOf<Code>
): Problem {
  return { code, message: messageOf(code, details) };
}

/** An error of this package, as `listen()` rejects with it. */
export function gatewayError<Code extends GatewayErrorCode>(
  code: Code,
  details: DetailsOf<Code>,
  options?: ErrorOptions,
): CallwrightError {
  return new CallwrightError(code, messageOf(code, details), options);
}

function messageOf<Code extends GatewayErrorCode>(code: Code, details: DetailsOf<Code>): string {
  // TypeScript cannot pair a union of functions with a union of their parameters.
  const message = gatewayErrors[code] as (...details: DetailsOf<Code>) => string;
  return message(...details);
}
