/**
 * Every `ts` block of the pages, and of the doc comments of our sources, is compiled as a user would compile it, and run unless it is marked `ts no-run`.
 *
 * - A block is a whole file: its imports included, nothing taken from the block before it.
 * - Each block is compiled to CommonJS with decorators and their metadata, strict, in a folder where `callwright` and
 *   `@callwright/*` are the built packages. A line that must not compile stands under `// @ts-expect-error why`.
 * - A run has its own empty folder, no input, PORT=0 (a free port) on the loopback, and must end with exit code 0 within
 *   30 s. An example that serves is told to stop by SIGTERM when it has listened for some time without a connection
 *   (`stop-when-listening.js`); to end with 0 then is part of what it shows.
 * - A block with `it(...)` or `describe(...)` at the start of a line is a test, and jest runs it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type Block, readPages, readSourceBlocks } from './markdown';
import { root } from './repository';

const runLimitMs = 30_000;
const outputLimit = 64 * 1024;
// Inside the repository, so that Node and the compiler find the workspaces' packages as a user's project would.
const folder = join(root, '.cache', 'docs');

interface Example {
  readonly title: string;
  readonly block: Block;
  readonly source: string;
  readonly output: string;
}

const examples = [...readPages().flatMap((page) => page.blocks), ...readSourceBlocks()]
  .filter((block) => block.language === 'ts')
  .map(placeOf);

let problems: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const example of examples) {
    mkdirSync(dirname(example.source), { recursive: true });
    writeFileSync(example.source, `${example.block.code}\n`);
  }
  problems = compile(examples);
});

it('finds examples in the pages', () => {
  expect(examples.length).toBeGreaterThan(0);
});

describe.each(examples)('$title', (example) => {
  it('compiles', () => {
    expect(problems.get(example.source) ?? []).toEqual([]);
  });

  if (example.block.flags.includes('no-run')) return;
  it('runs', async () => {
    const { exit, output } = await run(example);
    if (exit !== 0) throw new Error(`${example.title} ended with ${exit}:\n${output}`);
  });
});

function placeOf(block: Block): Example {
  const name = `${block.page.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${block.line}`;
  const place = join(folder, name);
  return {
    title: `${block.page}:${block.line}`,
    block,
    source: join(place, 'example.ts'),
    output: join(place, 'example.js'),
  };
}

/** Compiles all examples in one program, and returns what was wrong, by source file. */
function compile(all: readonly Example[]): ReadonlyMap<string, readonly string[]> {
  const program = ts.createProgram(
    all.map((example) => example.source),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      isolatedModules: true,
      skipLibCheck: true,
      types: ['node', 'jest'],
      typeRoots: [join(root, 'node_modules', '@types')],
      sourceMap: false,
    },
  );
  program.emit();
  const found = new Map<string, string[]>();
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const file = diagnostic.file?.fileName ?? '';
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
    const message = `line ${line + 1}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`;
    found.set(file, [...(found.get(file) ?? []), message]);
  }
  return found;
}

/** Runs one compiled example to its end. `exit` is the exit code, or the name of the signal that ended it. */
function run(example: Example): Promise<{ exit: number | string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, commandOf(example), {
      cwd: dirname(example.output),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: runLimitMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      if (output.length < outputLimit) output += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ exit: code ?? signal ?? 'nothing', output }));
  });
}

function commandOf(example: Example): readonly string[] {
  if (!/^(describe|it|test)\(/m.test(example.block.code)) {
    return ['--require', join(__dirname, 'stop-when-listening.js'), example.output];
  }
  const config = { rootDir: dirname(example.output), testMatch: ['**/example.js'], transform: {} };
  return [require.resolve('jest/bin/jest'), '--config', JSON.stringify(config)];
}
