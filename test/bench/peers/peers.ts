import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BENCH_FOLDER, PEERS_FOLDER } from '../paths';
import type { AgentProgram } from '../processes/agent-process';

const run = promisify(execFile);

/** A peer that can be measured, or the reason why not. */
export type Peer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

const NODE_FOLDER = join(PEERS_FOLDER, 'node');
const PYTHON_FOLDER = join(PEERS_FOLDER, 'python');
const SOURCES = join(BENCH_FOLDER, 'peers');
const INSTALL_BUDGET_MS = 300_000;

/** Installs the npm peers where they are not, and gives the folder that holds their `node_modules`. */
export async function nodePeers(say: (line: string) => void): Promise<Peer<string>> {
  const manifest = join(SOURCES, 'package.json');
  return installOnce(NODE_FOLDER, [manifest], async () => {
    say('installing the npm peers (NestJS, containers, esbuild) into test/bench/.peers');
    copyFileSync(manifest, join(NODE_FOLDER, 'package.json'));
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-workspaces',
    ];
    await run('npm', args, { cwd: NODE_FOLDER, timeout: INSTALL_BUDGET_MS });
  });
}

/** Installs the Python SDK into a virtual environment, and gives its agent. */
export async function pythonAgent(say: (line: string) => void): Promise<Peer<AgentProgram>> {
  const requirements = join(SOURCES, 'python', 'requirements.txt');
  const python = join(PYTHON_FOLDER, 'venv', 'bin', 'python');
  const installed = await installOnce(PYTHON_FOLDER, [requirements], async () => {
    say('installing the Python SDK into test/bench/.peers (needs python3 >= 3.11 with venv)');
    await run('python3', ['-m', 'venv', '--clear', join(PYTHON_FOLDER, 'venv')], {
      timeout: INSTALL_BUDGET_MS,
    });
    await run(python, ['-m', 'pip', 'install', '--quiet', '-r', requirements], {
      timeout: INSTALL_BUDGET_MS,
    });
  });
  if (!installed.ok) return installed;
  return {
    ok: true,
    value: { name: 'python', command: python, args: [join(SOURCES, 'python', 'agent.py')] },
  };
}

/** Compiles the NestJS agent into the folder of the npm peers. */
export async function nestAgent(say: (line: string) => void): Promise<Peer<AgentProgram>> {
  const installed = await nodePeers(say);
  if (!installed.ok) return installed;
  const compiled = await compileForPeers(join(SOURCES, 'nest', 'agent.ts'), 'nest-agent.js');
  const env = { BENCH_BOOKING: join(BENCH_FOLDER, 'dist', 'agents', 'booking.js') };
  return { ok: true, value: { name: 'nest', command: process.execPath, args: [compiled], env } };
}

/** Bundles the agent into one file. What it may load but does not need stays outside. */
export async function bundledAgent(
  peers: Peer<string>,
  agent: Peer<AgentProgram>,
): Promise<Peer<AgentProgram>> {
  if (!peers.ok) return peers;
  if (!agent.ok) return agent;
  const esbuild = join(peers.value, 'node_modules', '.bin', 'esbuild');
  const [script, ...args] = agent.value.args;
  const bundle = join(peers.value, 'bundle.js');
  const external = ['bufferutil', 'utf-8-validate'].map((name) => `--external:${name}`);
  await run(esbuild, [String(script), '--bundle', '--platform=node', `--outfile=${bundle}`, ...external]);
  return { ok: true, value: { ...agent.value, args: [bundle, ...args] } };
}

/**
 * Compiles one file, without looking at types, as the peers' libraries are not in this repository's tree. Decorators
 * and their metadata come out as in any Nest project.
 */
export async function compileForPeers(source: string, name: string): Promise<string> {
  const typescript = await import('typescript');
  const { outputText } = typescript.transpileModule(readFileSync(source, 'utf8'), {
    compilerOptions: {
      target: typescript.ScriptTarget.ES2022,
      module: typescript.ModuleKind.CommonJS,
      esModuleInterop: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const compiled = join(NODE_FOLDER, name);
  writeFileSync(compiled, outputText);
  return compiled;
}

/** Runs an installation once for the contents of `sources`; a later run finds it by its stamp. */
async function installOnce(
  folder: string,
  sources: readonly string[],
  install: () => Promise<void>,
): Promise<Peer<string>> {
  const stampFile = join(folder, 'stamp');
  const stamp = createHash('sha256')
    .update(process.version)
    .update(sources.map((source) => readFileSync(source, 'utf8')).join('\n'))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { ok: true, value: folder };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await install();
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : [String(error)];
    return { ok: false, why: lines.slice(0, 3).join(' ').slice(0, 300) };
  }
  writeFileSync(stampFile, stamp);
  return { ok: true, value: folder };
}
