import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context';
import { cliError } from '../errors';
import { withGuide } from '../guide';
import { readName } from '../names';
import { LINTS, type Lint } from '../new-project/choices';
import { projectFiles } from '../new-project/project-files';
import { paintFor } from '../paint';
import { type CliSystem, isInteractive } from '../system';
import { textTable } from '../table';
import { ownVersion } from '../version';
import { writeNewFiles } from '../write-files';

interface NewOptions {
  readonly lint?: Lint;
  readonly install?: boolean;
}

const DEFAULT_NAME = 'my-agent';

/** `callwright new [name]` */
export function newCommand({ system }: CommandContext): Command {
  const command = new Command('new')
    .description('make a project that installs, tests and runs at once')
    .argument('[name]', 'the name of the project and of its folder; asked for on a terminal')
    .addOption(
      new Option('--lint <tool>', 'formatter and linter (default: biome; asked for on a terminal)').choices([
        ...LINTS,
      ]),
    )
    .option('--install', 'run npm install in it')
    .option('--no-install', 'do not install, and do not ask')
    .action((name: string | undefined, options: NewOptions) => makeProject(name, options, system));
  return withGuide(command, {
    examples: [
      'callwright new luigi',
      'callwright new luigi --lint none --install',
      'npm create callwright luigi',
    ],
    exitCodes: [],
    notes: [
      'Nothing is overwritten: the folder must not exist, or be empty. Questions are asked only on a terminal; elsewhere the defaults hold.',
    ],
  });
}

async function makeProject(given: string | undefined, options: NewOptions, system: CliSystem): Promise<void> {
  const name = readName('project', given ?? (await ask(system, 'Name of the project', DEFAULT_NAME))).kebab;
  const folder = join(system.folder, name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw cliError('CW_FILE_EXISTS', { files: [name] });
  const lint =
    options.lint ?? readLint(await ask(system, `Formatter and linter (${LINTS.join(' or ')})`, 'biome'));
  const files = projectFiles({ name, lint, version: ownVersion() });
  writeNewFiles(folder, files);
  const paint = paintFor(system.output, system);
  system.output.write(`${paint('Made', 'green')} ${name} (${files.length} files).\n`);
  const isWanted = options.install ?? /^y/i.test(await ask(system, 'Install its packages now (y or n)', 'n'));
  if (isWanted) await install(folder, system);
  system.output.write(nextSteps(name, isWanted));
}

/** Asks on a terminal; elsewhere the default is the answer. */
async function ask(system: CliSystem, question: string, otherwise: string): Promise<string> {
  if (!isInteractive(system)) return otherwise;
  const output = system.output as NodeJS.WriteStream; // isInteractive: it is the terminal itself
  const questions = createInterface({ input: system.input, output });
  try {
    return (await questions.question(`${question} [${otherwise}]: `)).trim() || otherwise;
  } finally {
    questions.close();
  }
}

function readLint(answer: string): Lint {
  return LINTS.find((lint) => lint === answer.toLowerCase()) ?? 'biome';
}

function install(folder: string, system: CliSystem): Promise<void> {
  system.output.write('Installing ...\n');
  const command = 'npm install';
  return new Promise((resolve, reject) => {
    // On Windows npm is a batch file, which only a shell runs; the command line is a constant.
    const child = spawn(command, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], shell: true });
    child.on('error', (cause) => reject(cliError('CW_INSTALL_FAILED', { command, folder }, { cause })));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(cliError('CW_INSTALL_FAILED', { command, folder }));
    });
  });
}

function nextSteps(name: string, isInstalled: boolean): string {
  const steps = [
    [`cd ${name}`],
    ...(isInstalled ? [] : [['npm install']]),
    ['npm test', '# the tests of its agent'],
    ['npm run console', '# talk to it here: type /help'],
    ['npm run dev', '# serve it, and reload on save'],
  ];
  return `\nNext:\n${textTable(steps, '  ')}\n`;
}
