/** What a case changes in a good upgrade, and the status that answers it. */
export interface UpgradeCase {
  readonly name: string;
  readonly status: number;
  /** Header lines in the place of `Authorization`. */
  readonly authorization?: readonly string[];
  /** More header lines. */
  readonly headers?: readonly string[];
  /** Names of headers of a good upgrade that are left out. */
  readonly without?: readonly string[];
  readonly requestLine?: string;
}

export const tokens = ['right-token', 'second token', 'aZ09-._~+/=='] as const;
export const allowedOrigin = 'https://good.test';
const [right] = tokens;
const bearer = `Authorization: Bearer ${right}`;

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
/** One case for each value of the Authorization header. */
const values = (status: number, list: readonly string[]): UpgradeCase[] =>
  list.map((value) => ({
    name: `Authorization: ${shown(value)}`,
    status,
    authorization: [`Authorization: ${value}`],
  }));
const lines = (status: number, list: readonly (readonly string[])[]): UpgradeCase[] =>
  list.map((authorization) => ({ name: shown(authorization.join(' | ')), status, authorization }));
const extra = (
  status: number,
  list: readonly (readonly string[])[],
  without?: readonly string[],
): UpgradeCase[] =>
  list.map((headers) => ({
    name: `${without ? `without ${without.join()}, ` : ''}${shown(headers.join(' | '))}`,
    status,
    headers,
    ...(without && { without }),
  }));
const requests = (status: number, list: readonly string[]): UpgradeCase[] =>
  list.map((requestLine) => ({ name: shown(requestLine), status, requestLine }));

const schemesLetIn = values(101, [
  `Bearer ${right}`,
  `bearer ${right}`,
  `BEARER ${right}`,
  `bEaReR ${right}`,
  `Bearer  ${right}`,
  `Bearer        ${right}`,
  // White space around a header's value is not part of it.
  `  Bearer ${right}`,
  `\tBearer ${right}`,
  `Bearer ${right}  `,
  ...tokens.slice(1).map((token) => `Bearer ${token}`),
]);

const schemesRefused = values(401, [
  '',
  'Bearer',
  'Bearer ',
  'Bearer    ',
  right,
  `Basic ${right}`,
  `Basic ${Buffer.from(`user:${right}`).toString('base64')}`,
  `Digest ${right}`,
  `Negotiate ${right}`,
  `Token ${right}`,
  `Token token=${right}`,
  `OAuth ${right}`,
  `Bearerright-token`,
  `Bearer:${right}`,
  `Bearer=${right}`,
  `Bearer: ${right}`,
  `Bearer token=${right}`,
  `Bearer\t${right}`,
  `Bearer \t${right}`,
  `xBearer ${right}`,
  `Bearer Bearer ${right}`,
  `Bearer "${right}"`,
  `Bearer '${right}'`,
  `Bearer <${right}>`,
  `Bearer ${right},`,
  `Bearer ${right};`,
  `Bearer ${right}, Bearer ${right}`,
  `Bearer ${right},${tokens[1]}`,
  `Bearer ${right} ${tokens[1]}`,
  `Bearer ${right.toUpperCase()}`,
  'Bearer Right-token',
  'Bearer right_token',
  'Bearer right token',
  'Bearer second  token',
  'Bearer token',
  'Bearer right%2Dtoken',
  'Bearer right\\-token',
  `Bearer ${right}\u00a0`,
  'Bearer ri\u00eft-token',
  'Bearer undefined',
  'Bearer null',
  'Bearer true',
  'Bearer *',
  'Bearer []',
  'Bearer [object Object]',
  'Bearer %',
  'Bearer ../../',
  `Bearer ${'x'.repeat(4_096)}`,
  `Bearer ${right}${'x'.repeat(4_000)}`,
  `Bearer ${Buffer.from(right).toString('base64')}`,
  `Bearer ${Buffer.from(right).toString('hex')}`,
]);

const prefixes = values(
  401,
  tokens.flatMap((token) => {
    const every = Array.from({ length: token.length - 1 }, (_, at) => `Bearer ${token.slice(0, at + 1)}`);
    return [...every, `Bearer ${token}x`, `Bearer x${token}`, `Bearer ${token.slice(1)}`];
  }),
);

const headerNames = [
  ...lines(101, [
    [`authorization: Bearer ${right}`],
    [`AUTHORIZATION: Bearer ${right}`],
    [`Authorization:Bearer ${right}`],
  ]),
  ...lines(401, [
    [],
    [`Proxy-Authorization: Bearer ${right}`],
    [`X-Authorization: Bearer ${right}`],
    [`Authorisation: Bearer ${right}`],
    [`Authorization2: Bearer ${right}`],
    [`Cookie: Authorization=Bearer ${right}`],
    [`Cookie: token=${right}`],
    [`Sec-WebSocket-Protocol: bearer, ${right}`],
    [`X-Forwarded-Authorization: Bearer ${right}`],
  ]),
  // A name with white space, or none, is no header.
  ...lines(400, [
    [`Authorization : Bearer ${right}`],
    [` Authorization: Bearer ${right}`],
    [`: Bearer ${right}`],
    ['Authorization'],
    [`Authori\u0000zation: Bearer ${right}`],
  ]),
];

const duplicates = lines(401, [
  [bearer, bearer],
  [bearer, bearer, bearer],
  [bearer, 'Authorization: Bearer wrong'],
  ['Authorization: Bearer wrong', bearer],
  [bearer, 'authorization: Bearer wrong'],
  ['AUTHORIZATION: Bearer wrong', bearer],
  [bearer, 'Authorization:'],
  ['Authorization:', bearer],
  [bearer, `Authorization: Bearer ${tokens[1]}`],
  [bearer, 'Authorization: Basic abc'],
]);

/** A value over several lines is obsolete; a proxy in front may read it in another way than we do. */
const folded = lines(400, [
  [`Authorization: Bearer\r\n ${right}`],
  [`Authorization: Bearer\r\n\t${right}`],
  [`Authorization:\r\n Bearer ${right}`],
  ['Authorization: Bearer right-\r\n token'],
  [`Authorization: Bearer ${right}\r\n `],
  [`Authorization: Bearer wrong\r\n ${right}`],
  [`X-Before: a\r\n ${bearer}`],
]);

const controlCharacters = lines(400, [
  [`Authorization: Bearer ${right}\u0000`],
  [`Authorization: Bearer \u0000${right}`],
  [`Authorization: Bearer ${right}\u0001`],
  [`Authorization: Bearer ${right}\u007f`],
  [`Authorization: Bearer ${right}\rX: y`],
]);

const origins = [
  ...extra(101, [[`Origin: ${allowedOrigin}`], [`ORIGIN: ${allowedOrigin}`], [`Origin:  ${allowedOrigin} `]]),
  ...extra(403, [
    ['Origin:'],
    ['Origin: null'],
    ['Origin: *'],
    ['Origin: https://evil.test'],
    ['Origin: http://good.test'],
    ['Origin: https://good.test/'],
    ['Origin: https://good.test:443'],
    ['Origin: https://good.test.'],
    ['Origin: https://GOOD.test'],
    ['Origin: HTTPS://good.test'],
    ['Origin: https://good.test.evil.test'],
    ['Origin: https://xgood.test'],
    ['Origin: https://x.good.test'],
    ['Origin: https://good.tes'],
    ['Origin: https://evil.test#https://good.test'],
    ['Origin: https://evil.test?https://good.test'],
    ['Origin: https://good.test@evil.test'],
    ['Origin: good.test'],
    ['Origin: //good.test'],
    ['Origin: ws://good.test'],
    ['Origin: http://localhost'],
    ['Origin: http://localhost:3000'],
    ['Origin: http://127.0.0.1'],
    ['Origin: http://[::1]:8765'],
    ['Origin: file://'],
    ['Origin: chrome-extension://abcdefgh'],
    [`Origin: ${allowedOrigin}, ${allowedOrigin}`],
    [`Origin: ${allowedOrigin}`, `Origin: ${allowedOrigin}`],
    [`Origin: ${allowedOrigin}`, 'Origin: https://evil.test'],
    ['Origin: https://evil.test', `Origin: ${allowedOrigin}`],
    [`Origin: ${allowedOrigin}`, 'origin: null'],
  ]),
];

const hosts = [
  // Whoever rebinds a name does it in a browser, and browsers send an Origin; a proxy may send any Host.
  ...extra(
    101,
    [['Host: evil.test'], ['Host: localhost:8765'], ['Host: [::1]'], ['Host: a.b:99999'], ['Host:']],
    ['Host'],
  ),
  ...extra(400, [[]], ['Host']),
];

const methods = [
  ...requests(
    405,
    ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'PURGE'].map(
      (method) => `${method} /agent HTTP/1.1`,
    ),
  ),
  ...requests(405, ['CONNECT agent.internal:443 HTTP/1.1']),
  ...requests(400, [
    'get /agent HTTP/1.1',
    'GETT /agent HTTP/1.1',
    'FOO /agent HTTP/1.1',
    'GET',
    'GET /agent',
    'GET /agent HTTP/1.0',
    'GET /agent HTTP/0.9',
    'GET /agent HTTP/2.0',
    'GET /agent HTTP/1.1.1',
    ' GET /agent HTTP/1.1',
  ]),
];

const paths = [
  ...requests(101, [
    'GET / HTTP/1.1',
    'GET /agent/luigi HTTP/1.1',
    'GET // HTTP/1.1',
    'GET /../../etc/passwd HTTP/1.1',
    'GET /%00%2e%2e HTTP/1.1',
    'GET /?token=wrong HTTP/1.1',
    'GET /__proto__ HTTP/1.1',
    'GET http://other.test/agent HTTP/1.1',
    'GET * HTTP/1.1',
    `GET /${'x'.repeat(6_000)} HTTP/1.1`,
  ]),
  ...requests(400, ['GET agent HTTP/1.1', 'GET  HTTP/1.1', 'GET /a b HTTP/1.1', 'GET /\u0000 HTTP/1.1']),
  ...requests(431, [`GET /${'x'.repeat(9_000)} HTTP/1.1`]),
  {
    name: 'the token in the query',
    status: 401,
    authorization: [],
    requestLine: `GET /?token=${right}&access_token=${right} HTTP/1.1`,
  },
  {
    name: 'the token in the user part of a URI',
    status: 401,
    authorization: [],
    requestLine: `GET http://user:${right}@agent.internal/ HTTP/1.1`,
  },
];

const upgrades = [
  ...extra(101, [['Upgrade: WebSocket'], ['Upgrade: WEBSOCKET']], ['Upgrade']),
  ...extra(
    426,
    [[], ['Upgrade: h2c'], ['Upgrade: websocket2'], ['Upgrade: websocket, h2c'], ['Upgrade: websocket/13']],
    ['Upgrade'],
  ),
  ...extra(101, [['Connection: keep-alive, Upgrade'], ['Connection: upgrade']], ['Connection']),
  ...extra(426, [[], ['Connection: keep-alive'], ['Connection: close']], ['Connection']),
  ...extra(
    426,
    [
      [],
      ['Sec-WebSocket-Version: 8'],
      ['Sec-WebSocket-Version: 13, 8'],
      ['Sec-WebSocket-Version: 0'],
      ['Sec-WebSocket-Version: 130'],
    ],
    ['Sec-WebSocket-Version'],
  ),
  ...extra(
    400,
    [[], ['Sec-WebSocket-Key:'], ['Sec-WebSocket-Key: short'], [`Sec-WebSocket-Key: ${'x'.repeat(40)}`]],
    ['Sec-WebSocket-Key'],
  ),
];

const noise = [
  ...extra(101, [
    ['Sec-WebSocket-Extensions: permessage-deflate'],
    ['X-Forwarded-For: 10.0.0.1'],
    ['Cookie: a=b'],
  ]),
  ...extra(431, [
    [`X-Long: ${'x'.repeat(9_000)}`],
    Array.from({ length: 400 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`),
  ]),
  ...extra(400, [
    ['Content-Length: abc'],
    ['Content-Length: 1', 'Transfer-Encoding: chunked'],
    ['Bad Header: x'],
  ]),
];

/** Against a server with {@link tokens} and {@link allowedOrigin}. */
export const upgradeCases: readonly UpgradeCase[] = [
  ...schemesLetIn,
  ...schemesRefused,
  ...prefixes,
  ...headerNames,
  ...duplicates,
  ...folded,
  ...controlCharacters,
  ...origins,
  ...hosts,
  ...methods,
  ...paths,
  ...upgrades,
  ...noise,
];

/** Against a server without a token. */
export const openCases: readonly UpgradeCase[] = [
  ...values(101, ['', 'Bearer', 'Bearer anything', 'Basic abc']),
  ...lines(101, [[], [bearer, bearer]]),
  ...extra(403, [
    ['Origin: https://evil.test'],
    ['Origin: null'],
    ['Origin:'],
    ['Origin: http://localhost:3000'],
  ]),
];

/** The bytes of a case, one a character. */
export function requestOf(upgradeCase: UpgradeCase): string {
  const {
    authorization = [bearer],
    headers = [],
    without = [],
    requestLine = 'GET /agent HTTP/1.1',
  } = upgradeCase;
  const good = [
    'Host: agent.internal',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].filter((line) => !without.some((name) => line.startsWith(`${name}:`)));
  return [requestLine, ...good, ...authorization, ...headers, '', ''].join('\r\n');
}
