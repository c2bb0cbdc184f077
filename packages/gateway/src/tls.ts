import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CallwrightError } from '@callwright/core';
import { gatewayError } from './errors';

/** Where the PEM files of `wss://` are. */
export interface TlsFiles {
  /** PEM: the certificate, followed by its chain. */
  readonly certFile: string;
  /** PEM: the private key of the certificate, not encrypted. */
  readonly keyFile: string;
}

/** PEM texts that were found to belong together. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads and checks both files, so that a wrong one stops the start instead of every later connection.
 *
 * @throws CallwrightError `CW_TLS_UNUSABLE` for a file that is missing, no PEM, expired, or of another pair.
 */
export function loadTls(files: TlsFiles, wallMs: number): TlsMaterial {
  const cert = read('tls.certFile', files.certFile);
  const key = read('tls.keyFile', files.keyFile);
  const certificate = parse(
    'tls.certFile',
    files.certFile,
    'is not a PEM certificate',
    () => new X509Certificate(cert),
  );
  const privateKey = parse('tls.keyFile', files.keyFile, 'is not an unencrypted PEM private key', () =>
    createPrivateKey(key),
  );
  checkPeriod(files.certFile, certificate, wallMs);
  checkPair(files, certificate, privateKey);
  return { cert, key };
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unusable(option, file, `cannot be read (${systemCode(cause)})`, cause);
  }
}

function parse<T>(option: string, file: string, reason: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw unusable(option, file, reason, cause);
  }
}

function checkPeriod(file: string, certificate: X509Certificate, wallMs: number): void {
  if (Date.parse(certificate.validTo) < wallMs) {
    throw unusable('tls.certFile', file, `expired on ${certificate.validTo}`);
  }
  if (Date.parse(certificate.validFrom) > wallMs) {
    throw unusable('tls.certFile', file, `is not valid before ${certificate.validFrom}`);
  }
}

function checkPair(files: TlsFiles, certificate: X509Certificate, key: KeyObject): void {
  if (!certificate.checkPrivateKey(key)) {
    throw unusable('tls.keyFile', files.keyFile, `is not the key of the certificate in "${files.certFile}"`);
  }
}

function unusable(option: string, file: string, reason: string, cause?: unknown): CallwrightError {
  return gatewayError('CW_TLS_UNUSABLE', [{ option, file, reason }], { cause });
}

/** The system's name of an error, such as `ENOENT`: never its message. */
function systemCode(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return 'unknown error';
  return typeof cause.code === 'string' ? cause.code : 'unknown error';
}
