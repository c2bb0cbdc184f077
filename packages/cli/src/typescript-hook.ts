import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { cliError } from './errors';
import { cycleOf } from './import-cycle';
import { isObject } from './project';
import { readSettings } from './settings-file';

type Extension = (module: LoadingModule, file: string) => void;

/** What Node gives to the function of an extension: more than its types say. */
interface LoadingModule extends NodeJS.Module {
  _compile(code: string, file: string): void;
}

/** The part of @swc/core that is used. */
interface Compiler {
  transformSync(code: string, options: object): { readonly code: string };
}

/** How TypeScript is compiled where the project has no `.swcrc`: as its tsc would, decorators' metadata included. */
export const COMPILER_DEFAULTS = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
} as const;

// Node calls it deprecated and keeps it: nothing else compiles what `require` loads on every version that we run on.
const { extensions } = require as unknown as { extensions: Record<string, Extension> };

/**
 * From now on `require` compiles the TypeScript files of the project in memory, with decorators' metadata, and does what
 * {@link registerCycleNames} does. Packages' files are left alone.
 */
export function registerTypeScript(root: string): void {
  const compiler = new ProjectCompiler(root);
  registerCycleNames(root);
  extensions['.ts'] = (module, file) => {
    if (isForeign(file)) {
      const reason = 'it belongs to a package, and packages are compiled before they are installed.';
      throw cliError('CW_COMPILE_FAILED', { file, reason });
    }
    const code = compiler.compile(file);
    explaining(file, root, () => module._compile(code, file));
  };
}

/** From now on an error that comes from a circle of imports names the circle, and stacks name lines of the sources. */
export function registerCycleNames(root: string): void {
  const loadJavaScript = extensions['.js'];
  process.setSourceMapsEnabled(true);
  extensions['.js'] = (module, file) => {
    if (isForeign(file)) loadJavaScript?.(module, file);
    else explaining(file, root, () => loadJavaScript?.(module, file));
  };
}

/** Compiles the files of one project. */
export class ProjectCompiler {
  readonly #root: string;
  readonly #options: object;
  #compiler: Compiler | undefined;

  constructor(root: string) {
    this.#root = root;
    // The project's tests are compiled as .swcrc says, so its program is too. Read here, since the compiler looks for it only
    // beside files that exist.
    const { jsc, env } = readSettings(join(root, '.swcrc')) ?? { ...COMPILER_DEFAULTS, env: undefined };
    this.#options = {
      swcrc: false,
      ...(isObject(jsc) ? { jsc } : {}),
      ...(isObject(env) ? { env } : {}),
      module: COMPILER_DEFAULTS.module,
    };
  }

  /** @throws CliError `CW_COMPILE_FAILED`, `CW_COMPILER_NOT_INSTALLED` */
  compile(file: string): string {
    return this.compileText(readFileSync(file, 'utf8'), file);
  }

  /** @throws CliError `CW_COMPILE_FAILED`, `CW_COMPILER_NOT_INSTALLED` */
  compileText(text: string, file: string): string {
    this.#compiler ??= loadCompiler(this.#root);
    try {
      const options = { ...this.#options, filename: file, cwd: this.#root, sourceMaps: 'inline' };
      return this.#compiler.transformSync(text, options).code;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw cliError(
        'CW_COMPILE_FAILED',
        { file: shortPath(file, this.#root), reason: plainReason(reason) },
        { cause: error },
      );
    }
  }
}

function loadCompiler(root: string): Compiler {
  const ofProject = createRequire(join(root, 'package.json'));
  try {
    return ofProject('@swc/core') as Compiler;
  } catch (error) {
    throw cliError('CW_COMPILER_NOT_INSTALLED', { root }, { cause: error });
  }
}

/** Errors whose cycle has been looked for already, on their way up through the files that import each other. */
const explained = new WeakSet<object>();

/**
 * Runs a file. A class that is used before its file has run is a circle of imports; it must be read right here, as Node forgets each file
 * on the error's way up.
 */
function explaining(file: string, root: string, load: () => void): void {
  try {
    load();
  } catch (error) {
    if (!(error instanceof ReferenceError) || explained.has(error)) throw error;
    explained.add(error);
    const name = /^Cannot access '(.+)' before initialization$/.exec(error.message)?.[1];
    if (name === undefined) throw error;
    const cycle = cycleOf(file, require.cache, isForeign);
    if (cycle.length === 0) throw error; // a file's own mistake, such as a constant that is used above its line
    const shown = cycle.map((each) => shortPath(each, root));
    throw cliError('CW_IMPORT_CYCLE', { name, cycle: shown }, { cause: error });
  }
}

/** Whether a file belongs to an installed package. */
export function isForeign(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

/** A path as people of the project write it. */
export function shortPath(file: string, root: string): string {
  return file.startsWith(root + sep) ? file.slice(root.length + 1) : file;
}

/** The compiler's words and the lines that they are about, without colours and without its own stack. */
function plainReason(text: string): string {
  const escapeCharacter = String.fromCharCode(27);
  const plain = text.replaceAll(new RegExp(`${escapeCharacter}\\[[0-9;]*m`, 'g'), '');
  return (plain.split(/\n\s*Caused by:/)[0] ?? plain).trim();
}
