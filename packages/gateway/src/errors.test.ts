import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayErrorCode, gatewayErrors, gatewayProblem } from './errors';

const examples: { readonly [Code in GatewayErrorCode]: Parameters<(typeof gatewayErrors)[Code]> } = {
  CW_OPTION_UNKNOWN: [{ option: 'hots', known: ['host', 'port'] }],
  CW_OPTION_INVALID: [{ option: 'port', found: '-1', expected: 'an integer from 0 to 65535' }],
  CW_TOKEN_INVALID: [{ option: 'BRISVOX_AGENT_TOKEN', reason: 'is blank' }],
  CW_UNAUTHENTICATED_HOST: [{ host: '0.0.0.0' }],
  CW_TLS_UNUSABLE: [
    { option: 'tls.certFile', file: 'cert.pem', reason: 'expired on Jan 1 00:00:00 2026 GMT' },
  ],
  CW_PORT_IN_USE: [{ host: '127.0.0.1', port: 8765 }],
  CW_PORT_FORBIDDEN: [{ host: '127.0.0.1', port: 80 }],
  CW_HOST_UNUSABLE: [{ host: '192.0.2.1', reason: 'this machine has no such address' }],
  CW_LISTEN_FAILED: [{ host: '127.0.0.1', port: 8765, reason: 'EMFILE' }],
  CW_RECORDING_DIRECTORY: [{ directory: '/recordings', reason: 'EACCES' }],
  CW_LISTEN_TWICE: [],
};

const codes = Object.keys(gatewayErrors) as GatewayErrorCode[];
const messageOf = (code: GatewayErrorCode): string =>
  gatewayProblem(code, ...(examples[code] as [never])).message;

describe('the errors of the gateway', () => {
  it.each(codes)('%s says what is wrong and how to mend it, in at most six lines', (code) => {
    const message = messageOf(code);
    expect(message).toMatchSnapshot();
    expect(message).toMatch(/\nMend: /);
    expect(message.split('\n').length).toBeLessThanOrEqual(6);
  });

  it('have a section each in the error reference, in the order of the table', () => {
    const page = readFileSync(join(__dirname, '../../../docs/reference/errors.md'), 'utf8');
    const part = page.split('\n## @callwright/gateway\n')[1]?.split('\n## ')[0] ?? '';
    expect([...part.matchAll(/^### (CW_\w+)$/gm)].map((match) => match[1])).toEqual(codes);
  });
});
