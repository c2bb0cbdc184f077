import { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { checkPort, checkTls, checkToken } from '../doctor/check-address';
import { checkApplication } from '../doctor/check-application';
import {
  checkLinters,
  checkMetadata,
  checkModuleFormat,
  checkNode,
  checkPackages,
  checkRunner,
  checkTsconfig,
} from '../doctor/check-tools';
import type { Finding } from '../doctor/finding';
import { EXIT_CODES, withGuide } from '../guide';
import { type Paint, paintFor } from '../paint';
import { findProject } from '../project';
import type { CliSystem } from '../system';
import { moduleOption } from './module-option';

interface DoctorOptions {
  readonly module?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** `callwright doctor` */
export function doctorCommand({ system, exitWith }: CommandContext): Command {
  const command = new Command('doctor')
    .description('check what usually goes wrong: Node, compiler, linter, imports, boot, port, token, TLS')
    .addOption(moduleOption())
    .option('--cert <file>', 'a PEM certificate to check, with --key')
    .option('--key <file>', 'its PEM key')
    .option('--json', 'print the findings as JSON')
    .action(async (options: DoctorOptions) => {
      const findings = await examine(options, system);
      const paint = paintFor(system.output, system);
      system.output.write(
        options.json === true
          ? `${JSON.stringify(findings, undefined, 2)}\n`
          : findingsAsText(findings, paint),
      );
      if (findings.some(({ state }) => state === 'problem')) exitWith(EXIT_CODES.failed);
    });
  return withGuide(command, {
    examples: ['callwright doctor', 'callwright doctor --cert agent.pem --key agent.key'],
    exitCodes: [[EXIT_CODES.failed, 'there is a problem; warnings alone do not count']],
    notes: [
      'Loads and boots the application without listening; nothing is changed, and nothing leaves the machine.',
    ],
  });
}

async function examine(options: DoctorOptions, system: CliSystem): Promise<readonly Finding[]> {
  const project = findProject(system.folder);
  const { environment } = system;
  const { cert, key } = options;
  return [
    checkNode(process.versions.node),
    checkPackages(project),
    checkModuleFormat(project),
    ...checkTsconfig(project),
    checkMetadata(project),
    checkRunner(project),
    ...checkLinters(project),
    ...(await checkApplication(project, options.module)),
    await checkPort(environment),
    checkToken(environment),
    ...(cert === undefined || key === undefined ? [] : [checkTls(system.folder, { cert, key }, Date.now())]),
  ];
}

const MARKS = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' } as const;
const COLORS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;
const MARK_WIDTH = 7;

function findingsAsText(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(MARK_WIDTH + 2);
  const lines = findings.map(({ check, state, found, mend }) => {
    const line = `${paint(MARKS[state].padEnd(MARK_WIDTH), COLORS[state])}  ${check.padEnd(width)}  ${found}`;
    return mend === '' ? line : `${line}\n${indent}${mend.replaceAll('\n', `\n${indent}`)}`;
  });
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const verdict =
    problems === 0
      ? paint('No problems.', 'green')
      : paint(`${problems} ${problems === 1 ? 'problem' : 'problems'}.`, 'red');
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
