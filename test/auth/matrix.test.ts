import { type Application, createApplication } from '@callwright/gateway';
import { type LogEntry, Module, VoiceAgent } from 'callwright';
import { RawClient, statusOf } from '../../packages/gateway/src/server.test-support';
import { allowedOrigin, openCases, requestOf, tokens, type UpgradeCase, upgradeCases } from './upgrade-cases';

@VoiceAgent({ name: 'guarded' })
class GuardedAgent {}

@Module({ agents: [GuardedAgent] })
class GuardedModule {}

const log: LogEntry[] = [];
const sink = { write: (entry: LogEntry) => log.push(entry) };
let guarded: Application;
let open: Application;

beforeAll(async () => {
  const common = { port: 0, log: { level: 'trace', sink } } as const;
  guarded = await createApplication(GuardedModule, {
    ...common,
    token: tokens,
    allowedOrigins: [allowedOrigin],
  });
  open = await createApplication(GuardedModule, common);
  await Promise.all([guarded.listen(), open.listen()]);
});

afterAll(async () => {
  await Promise.all([guarded.close(), open.close()]);
});

/** The status; a refusal must close the connection, and nobody but an upgraded peer may stay. */
async function statusFor(url: string, upgradeCase: UpgradeCase): Promise<number> {
  const client = new RawClient(url).send(Buffer.from(requestOf(upgradeCase), 'latin1'));
  const answer = await client.received(/\r\n\r\n/);
  const status = statusOf(answer);
  if (status === 101) client.socket.destroy();
  else expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  await client.closed;
  return status;
}

describe('a connection to an agent with tokens', () => {
  it.each(upgradeCases.map((upgradeCase) => [upgradeCase.status, upgradeCase.name, upgradeCase] as const))(
    'is answered with %d: %s',
    async (status, _name, upgradeCase) => {
      expect(await statusFor(guarded.url, upgradeCase)).toBe(status);
    },
  );
});

describe('a connection to an agent without a token', () => {
  it.each(openCases.map((upgradeCase) => [upgradeCase.status, upgradeCase.name, upgradeCase] as const))(
    'is answered with %d: %s',
    async (status, _name, upgradeCase) => {
      expect(await statusFor(open.url, upgradeCase)).toBe(status);
    },
  );
});

it('no case is there twice, and there are enough of them', () => {
  const requests = upgradeCases.map(requestOf);
  expect(new Set(requests).size).toBe(requests.length);
  expect(requests.length).toBeGreaterThan(200);
});

it('no token is in the log, at any level', () => {
  const text = JSON.stringify(log);
  expect(log.length).toBeGreaterThan(10);
  for (const token of tokens) expect(text).not.toContain(token);
});
