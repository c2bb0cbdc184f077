import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { isObject } from '../project';
import { type Finding, ok, problem, warning } from './finding';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8765;
/** A token is a secret that is tried from outside: 16 characters are the least that is hard to guess. */
const LEAST_TOKEN_LENGTH = 16;
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Whether the port that a start would take is free. */
export async function checkPort({ HOST, PORT }: Environment): Promise<Finding> {
  const port = PORT ? Number(PORT) : DEFAULT_PORT;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    return problem('port', `PORT is ${JSON.stringify(PORT)}`, 'set it to an integer from 0 to 65535');
  }
  const host = HOST || DEFAULT_HOST;
  const code = await listenError(host, port);
  if (code === undefined) return ok('port', `${host} port ${port} is free`);
  if (code === 'EADDRINUSE') {
    return warning(
      'port',
      `${host} port ${port} is taken`,
      'perhaps by your agent, which runs already; else set PORT to another one',
    );
  }
  return problem(
    'port',
    `${host} port ${port} cannot be listened on (${code})`,
    'set HOST to an address of this machine, and PORT to one above 1023',
  );
}

function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

/** Whether the token in the environment can be used, and whether one is needed. */
export function checkToken(environment: Environment): Finding {
  const { HOST, BRISVOX_AGENT_TOKEN: token, CALLWRIGHT_ALLOW_UNAUTHENTICATED: open } = environment;
  const name = 'BRISVOX_AGENT_TOKEN';
  const host = HOST || DEFAULT_HOST;
  const isLocal = LOOPBACK.includes(host) || /^127\./.test(host);
  if (!token) {
    if (isLocal) return ok('token', `none, and none is needed: only this machine reaches ${host}`);
    if (open === '1')
      return warning('token', `none, and ${host} is open to whoever reaches it`, `set ${name}`);
    return problem(
      'token',
      `none, and others can reach ${host}`,
      `set ${name} on both sides: openssl rand -hex 32`,
    );
  }
  if (token.trim() !== token || !/^[\x20-\x7e]+$/.test(token)) {
    return problem(
      'token',
      `${name} has blanks around it or characters outside ASCII`,
      'set it to plain letters and digits',
    );
  }
  if (token.length < LEAST_TOKEN_LENGTH) {
    return warning(
      'token',
      `${name} has only ${token.length} characters`,
      'make a longer one: openssl rand -hex 32',
    );
  }
  return ok('token', `${name} is set (${token.length} characters)`);
}

/** Whether two PEM files can serve `wss://` together. @param wallMs milliseconds since 1970 */
export function checkTls(
  folder: string,
  files: { readonly cert: string; readonly key: string },
  wallMs: number,
): Finding {
  try {
    const certificate = new X509Certificate(readFileSync(resolve(folder, files.cert)));
    const key = createPrivateKey(readFileSync(resolve(folder, files.key)));
    const { validFrom, validTo } = certificate;
    if (Date.parse(validTo) < wallMs)
      return problem('TLS', `the certificate expired on ${validTo}`, 'get a new one');
    if (Date.parse(validFrom) > wallMs)
      return problem('TLS', `the certificate is not valid before ${validFrom}`, 'wait, or get another one');
    if (!certificate.checkPrivateKey(key))
      return problem('TLS', 'the key is not that of the certificate', 'name the files of one pair');
    return ok('TLS', `certificate and key fit; valid to ${validTo}`);
  } catch (error) {
    const code = isObject(error) && typeof error.code === 'string' ? ` (${error.code})` : '';
    return problem(
      'TLS',
      `a file cannot be read as PEM${code}`,
      'name a PEM certificate and its unencrypted PEM key',
    );
  }
}
