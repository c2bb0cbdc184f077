/**
 * Lets Autobahn's fuzzing client loose on the server that agents listen with: `npm run autobahn -- [WSTEST]`.
 *
 * WSTEST is the program of the Python package autobahntestsuite 0.8.2, which needs Python 2.7 (`docs/reference/robustness.md` says
 * how to install it); without it, the environment variable WSTEST or the PATH is asked. Left out are the groups 9 (messages of up to
 * 16 MiB; we take 1 MiB), 12 and 13 (compression, which we do not speak).
 */
const { spawn, spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
require('../../packages/gateway/test/load-sources.js');
require('reflect-metadata');
const { startEchoServer } = require('./echo-server.ts');

const leftOut = ['9.*', '12.*', '13.*'];
const goodBehaviours = ['OK', 'NON-STRICT', 'INFORMATIONAL'];
const limitMs = 540_000;

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main() {
  const program = process.argv[2] ?? process.env.WSTEST ?? 'wstest';
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error) {
    throw new Error(`There is no program ${program}: install autobahntestsuite 0.8.2 under Python 2.7.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'autobahn-'));
  const server = await startEchoServer();
  try {
    const spec = {
      outdir: folder,
      servers: [{ agent: 'callwright', url: server.url }],
      cases: ['*'],
      'exclude-cases': leftOut,
      'exclude-agent-cases': {},
    };
    writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
    await runClient(program, join(folder, 'spec.json'));
    report(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).callwright);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function runClient(program, spec) {
  const client = spawn(program, ['-m', 'fuzzingclient', '-s', spec], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  client.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-4_096);
  });
  const limit = setTimeout(() => client.kill('SIGKILL'), limitMs);
  return new Promise((resolve, reject) => {
    client.on('close', (status) => {
      clearTimeout(limit);
      if (status === 0) resolve();
      else reject(new Error(`The fuzzing client ended with ${status}:\n${said}`));
    });
  });
}

function report(cases) {
  const counts = new Map();
  for (const [name, { behavior, behaviorClose }] of Object.entries(cases)) {
    const isGood = goodBehaviours.includes(behavior) && goodBehaviours.includes(behaviorClose);
    if (!isGood) {
      console.log(`failed: case ${name}, ${behavior}, close ${behaviorClose}`);
      process.exitCode = 1;
    }
    const verdict = isGood ? behavior : 'FAILED';
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const total = Object.keys(cases).length;
  console.log([`cases ${total}`, ...[...counts].map(([verdict, count]) => `${verdict} ${count}`)].join(', '));
  if (total === 0) process.exitCode = 1;
}
