/**
 * Lets the real voice server call the conformance agent: `npm run conformance -- PATH_OF_BRISVOX_DRIVER [SCENARIO,...]`.
 *
 * Starts two instances of the agent on free ports, runs the driver's scenarios against them, prints every check that failed
 * and a line for each scenario, stops the agents by SIGTERM and wants them to end with exit code 0.
 */
const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { existsSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

/** Every scenario but `facts`, which is about the voice server alone. */
const scenarios = [
  'basic',
  'errors',
  'confirm',
  'repeat',
  'commands',
  'transfer',
  'bargein',
  'spoken',
  'timeout',
  'limits',
  'auth',
  'reject',
  'load',
  'resume',
  'gone',
  'restart',
  'keepalive',
];
const startLimitMs = 20_000;
const stopLimitMs = 20_000;
const driveLimitMs = 300_000;

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main() {
  const [driver, only] = process.argv.slice(2);
  if (driver === undefined)
    throw new Error('Usage: npm run conformance -- PATH_OF_BRISVOX_DRIVER [SCENARIO,...]');
  if (!existsSync(driver))
    throw new Error(`There is no driver at ${driver}: build the real voice server's driver first.`);
  const token = randomBytes(24).toString('base64url');
  const agents = [];
  try {
    // The second one never heard of any call: in `restart` the link is led to it, as if the agent had started anew.
    for (let count = 0; count < 2; count += 1) agents.push(await startAgent(await freePort(), token));
    const [first, second] = agents;
    const wanted = only ?? scenarios.join(',');
    const places = [
      '--url',
      first.url,
      '--url2',
      second.url,
      '--token',
      token,
      '--calls',
      '100',
      '--tools',
      '20',
    ];
    if (!(await drive(driver, [...places, '--scenario', wanted, '--quiet']))) process.exitCode = 1;
  } finally {
    for (const agent of agents) await stopAgent(agent);
  }
}

/** Runs the driver and reads its report, a JSON object a line. True if every check passed. */
async function drive(driver, args) {
  const child = spawn(driver, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const limit = setTimeout(() => {
    console.error(`The driver did not end within ${driveLimitMs / 1000} s.`);
    child.kill('SIGKILL');
  }, driveLimitMs);
  const exited = once(child);
  let passed = 0;
  let failed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const seen = parse(line);
    if (seen === undefined) {
      console.log(line);
    } else if ('scenario_done' in seen) {
      console.log(
        `${failed === 0 ? 'passed' : 'FAILED'}  ${seen.scenario_done}: ${passed} of ${passed + failed} checks, ${seen.ms} ms`,
      );
      passed = 0;
      failed = 0;
    } else if (seen.ok === true) {
      passed += 1;
    } else if (seen.ok === false) {
      failed += 1;
      console.log(`  not so: ${seen.check}\n    seen: ${JSON.stringify(seen.detail).slice(0, 2_000)}`);
    } else if ('skip' in seen) {
      console.log(`  left out: ${seen.skip} (${seen.why})`);
    }
  }
  const status = await exited;
  clearTimeout(limit);
  return status === 0;
}

/** The driver's last line is plain text, every other a JSON object. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function startAgent(port, token) {
  const program = join(__dirname, '..', '..', '.cache', 'conformance', 'test', 'conformance', 'agent.js');
  const agent = spawn(process.execPath, [program, String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BRISVOX_AGENT_TOKEN: token },
  });
  let said = '';
  const keep = (chunk) => {
    said = (said + chunk.toString('utf8')).slice(-16_384);
  };
  agent.stdout.on('data', keep);
  agent.stderr.on('data', keep);
  const ended = once(agent).then((status) => {
    throw new Error(`The agent ended with ${status}:\n${said}`);
  });
  // Whoever waits for it sees the failure; once the agent is stopped on purpose, nobody does.
  ended.catch(() => undefined);
  await Promise.race([listens(port, () => agent.exitCode !== null), ended]);
  return { process: agent, url: `ws://127.0.0.1:${port}`, said: () => said };
}

async function stopAgent(agent) {
  if (agent.process.exitCode === null) agent.process.kill('SIGTERM');
  const limit = setTimeout(() => agent.process.kill('SIGKILL'), stopLimitMs);
  const status = agent.process.exitCode ?? (await once(agent.process));
  clearTimeout(limit);
  if (status === 0) return;
  console.error(`The agent should end with 0 on SIGTERM, and ended with ${status}:\n${agent.said()}`);
  process.exitCode = 1;
}

/** Waits until something listens on the port. */
async function listens(port, isOver) {
  const until = Date.now() + startLimitMs;
  while (Date.now() < until && !isOver()) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => socket.destroy() && resolve(true));
      socket.on('error', () => setTimeout(() => resolve(false), 100));
    });
    if (open) return;
  }
  throw new Error(`The agent did not listen within ${startLimitMs / 1000} s.`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The exit code of a process, or the name of the signal that ended it. */
function once(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
}
