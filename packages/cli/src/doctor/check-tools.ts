import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../error-text';
import { isObject, type Project, packagePath } from '../project';
import { compilerOptions, readSettings } from '../settings-file';
import { ProjectCompiler } from '../typescript-hook';
import { type Finding, ok, problem, warning } from './finding';

const LEAST_NODE = [20, 19] as const;

/** Whether this Node is new enough. @param version as process.versions.node */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  if (isEnough) return ok('Node', version);
  return problem('Node', `${version} is too old`, `install Node ${LEAST_NODE.join('.')} or later`);
}

/** Packages that every project with decorated agents needs. */
const NEEDED = ['callwright', 'reflect-metadata', 'class-validator', 'class-transformer'];

/** Whether what the framework needs is installed. */
export function checkPackages(project: Project): Finding {
  const missing = NEEDED.filter((name) => packagePath(project, name) === undefined);
  if (missing.length === 0) return ok('packages', NEEDED.join(', '));
  return problem('packages', `not installed: ${missing.join(', ')}`, `npm install ${missing.join(' ')}`);
}

/** Whether the project is CommonJS, the one form in which decorated classes load everywhere. */
export function checkModuleFormat({ packageJson }: Project): Finding {
  if (packageJson.type !== 'module') return ok('module format', 'CommonJS');
  const mend = 'set "type": "commonjs" in package.json; packages of both formats can still be imported';
  return problem('module format', 'package.json has "type": "module"', mend);
}

/** What the project's tsconfig says of decorators. */
export function checkTsconfig({ root }: Project): readonly Finding[] {
  const file = 'tsconfig.json';
  const options = compilerOptions(join(root, file));
  if (options === undefined) {
    return [
      warning(
        file,
        'there is none, or it cannot be read',
        'without one, editors and tsc do not know that decorators are used',
      ),
    ];
  }
  const missing = ['experimentalDecorators', 'emitDecoratorMetadata'].filter(
    (name) => options[name] !== true,
  );
  const findings: Finding[] = [];
  if (missing.length > 0) {
    findings.push(
      problem(
        file,
        `${missing.join(' and ')} is not on`,
        `set ${missing.map((name) => `"${name}": true`).join(', ')}`,
      ),
    );
  }
  if (options.verbatimModuleSyntax === true) {
    findings.push(
      problem(
        file,
        'verbatimModuleSyntax is on',
        'turn it off: in CommonJS it forbids every import, and it keeps none for metadata',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(file, 'decorators and their metadata are on')];
}

const PROBE = `class Service {}
declare const decorate: ClassDecorator;
@decorate
export class Agent {
  constructor(readonly service: Service) {}
}
`;

/** Compiles a probe as the project's runner and tests do, and looks for the types of its parameters. */
export function checkMetadata({ root }: Project): Finding {
  const check = 'emitted metadata';
  try {
    const code = new ProjectCompiler(root).compileText(PROBE, join(root, 'src', 'doctor-probe.ts'));
    if (code.includes('design:paramtypes')) return ok(check, 'parameter types are emitted');
    const mend = 'in .swcrc, set jsc.transform.legacyDecorator and jsc.transform.decoratorMetadata to true';
    return problem(check, 'the compiler emits no parameter types', mend);
  } catch (error) {
    const [found = '', ...more] = textOf(error).split('\n');
    return problem(check, found, more.join('\n'));
  }
}

/** Programs that run TypeScript and leave the types of parameters away. */
const BLIND_RUNNERS = ['tsx', 'esbuild-register', 'esbuild-runner', 'sucrase', 'bun'];

/** Whether a script runs the sources with something that emits no metadata. */
export function checkRunner({ packageJson }: Project): Finding {
  const scripts = isObject(packageJson.scripts) ? Object.entries(packageJson.scripts) : [];
  for (const [name, script] of scripts) {
    if (typeof script !== 'string') continue;
    const runner = BLIND_RUNNERS.find((each) => new RegExp(`(^|[\\s&;/])${each}([\\s;]|$)`).test(script));
    if (runner !== undefined) {
      const mend = 'use callwright dev, or compile with tsc or swc';
      return problem('runner', `the script "${name}" runs ${runner}, which emits no metadata`, mend);
    }
    if (/(^|[\s&;])node(\s+-\S+)*\s+\S+\.ts(\s|$)/.test(script) && !/--require|-r\s|--import/.test(script)) {
      const mend = 'use callwright dev, or run the compiled file';
      return problem(
        'runner',
        `the script "${name}" lets Node strip the types, and metadata with them`,
        mend,
      );
    }
  }
  return ok('runner', 'no script runs the sources without metadata');
}

/** Rules whose automatic fixes take away what metadata is made from. */
export function checkLinters({ root }: Project): readonly Finding[] {
  return [...checkBiome(root), ...checkEslint(root)];
}

function checkBiome(root: string): readonly Finding[] {
  const file = ['biome.json', 'biome.jsonc'].find((name) => existsSync(join(root, name)));
  if (file === undefined) return [];
  const settings = readSettings(join(root, file));
  if (settings === undefined) return [warning(file, 'cannot be read', 'biome check says why')];
  const findings: Finding[] = [];
  if (
    memberOf(settings, 'linter', 'enabled') !== false &&
    !isOff(memberOf(settings, 'linter', 'rules', 'style', 'useImportType'))
  ) {
    findings.push(
      problem(
        file,
        'the rule style/useImportType is on',
        'set linter.rules.style.useImportType to "off": its fix takes the types of parameters away',
      ),
    );
  }
  if (memberOf(settings, 'javascript', 'parser', 'unsafeParameterDecoratorsEnabled') !== true) {
    findings.push(
      problem(
        file,
        'decorators of parameters are not read',
        'set javascript.parser.unsafeParameterDecoratorsEnabled to true',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(file, 'no rule takes metadata away')];
}

function isOff(rule: unknown): boolean {
  return rule === 'off' || (isObject(rule) && rule.level === 'off');
}

function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
}

const ESLINT_FILES = [
  'eslint.config.js',
  'eslint.config.mjs',
  'eslint.config.cjs',
  'eslint.config.ts',
  '.eslintrc',
  '.eslintrc.json',
  '.eslintrc.js',
  '.eslintrc.cjs',
];
/** Their fixes turn a class that metadata needs into `import type`, or drop the annotation that metadata is made from. */
const ESLINT_TRAPS = ['consistent-type-imports', 'no-inferrable-types'];

function checkEslint(root: string): readonly Finding[] {
  const file = ESLINT_FILES.find((name) => existsSync(join(root, name)));
  if (file === undefined) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const found = ESLINT_TRAPS.filter((rule) =>
    new RegExp(`${rule}['"]?\\s*:\\s*(?!\\s*\\[?\\s*['"]?(off|0))`).test(text),
  );
  if (found.length === 0) return [ok(file, 'no rule takes metadata away')];
  return [
    warning(
      file,
      `${found.join(' and ')} may be on`,
      'turn it off for files with decorated classes: its fix takes types of parameters away',
    ),
  ];
}
