import { EXIT_CODES } from './guide';

/** What goes wrong on the command line, by code: what, where, why, and how to mend it. */
export const cliErrors = {
  CW_PROJECT_NOT_FOUND: (details: { folder: string }) =>
    `There is no package.json in "${details.folder}" or above it, so this is no project.\nGo to your project's folder, or make a project: callwright new NAME`,
  CW_MAIN_NOT_FOUND: (details: { file: string }) =>
    `The program is not there: "${details.file}".\nName its file, from the project's folder: callwright dev src/main.ts`,
  CW_PROJECT_NOT_COMMONJS: (details: { file: string; packageJson: string }) =>
    `"${details.file}" cannot be run from its source: "${details.packageJson}" says "type": "module".\nSources are loaded as CommonJS, which keeps the metadata of decorators and gives every class once.\nSet "type": "commonjs" there; packages of both formats can still be imported.`,
  CW_MODULE_FILE_NOT_FOUND: (details: { file: string; isConvention: boolean }) =>
    `The root module's file is not there: "${details.file}".\n${
      details.isConvention
        ? 'Commands look for the export AppModule of src/app.module.ts.\nName another place with --module path/to/file.ts#Export'
        : 'Check --module: its form is path/to/file.ts#Export, from the folder of package.json.'
    }`,
  CW_MODULE_EXPORT_NOT_FOUND: (details: { file: string; name: string; exports: readonly string[] }) =>
    `"${details.file}" exports no class ${details.name}.\n${
      details.exports.length === 0
        ? 'It exports no class at all.'
        : `It exports ${details.exports.join(', ')}.`
    }\nExport the root module under that name, or name it: --module ${details.file}#Export`,
  CW_PACKAGE_NOT_INSTALLED: (details: { name: string; root: string }) =>
    `The package ${details.name} is not installed in "${details.root}".\nInstall the project's packages: npm install`,
  CW_COMPILER_NOT_INSTALLED: (details: { root: string }) =>
    `To run TypeScript as it is, @swc/core is needed, and "${details.root}" does not have it.\nInstall it: npm install --save-dev @swc/core\nOr compile yourself and use the output: --module dist/app.module.js#AppModule`,
  CW_COMPILE_FAILED: (details: { file: string; reason: string }) =>
    `"${details.file}" cannot be compiled:\n${details.reason}`,
  CW_IMPORT_CYCLE: (details: { name: string; cycle: readonly string[] }) =>
    `${details.name} was used before its file had run: the files import each other in a circle.\n  ${details.cycle.join(' → ')}\nMove what both need to a file of its own; or, where two providers need each other, inject one as @Inject(lazy(() => ${details.name})) with the type Lazy<${details.name}>.`,
  CW_NOT_BUILT: (details: { file: string }) =>
    `There is nothing compiled to start: "${details.file}" is not there.\nBuild first: npm run build\nWhile you work on the code, use callwright dev: it needs no build.`,
  CW_FILE_EXISTS: (details: { files: readonly string[] }) =>
    `Nothing was written, since this is there already: ${details.files.join(', ')}.\nFiles are never overwritten: choose another name, or move what is there.`,
  CW_NAME_INVALID: (details: { what: string; name: string }) =>
    `"${details.name}" cannot be the name of a ${details.what}.\nUse letters, digits and dashes, with a letter first, at most 60: table-booking`,
  CW_FILE_UNREADABLE: (details: { file: string; reason: string }) =>
    `"${details.file}" cannot be read (${details.reason}).\nName a file, from the folder that you are in.`,
  CW_NO_SCENARIOS: (details: { folder: string }) =>
    `There are no scenarios: no .yaml or .yml file is under "${details.folder}".\nWrite one there, or name files: callwright test calls/booking.yaml`,
  CW_MANIFEST_UNREADABLE: (details: { file: string; reason: string }) =>
    `"${details.file}" holds no manifest: ${details.reason}.\nMake one: callwright inspect --json > manifest.json`,
  CW_AGENT_UNREACHABLE: (details: { where: string; reason: string }) =>
    `The call to ${details.where} did not come about: ${details.reason}\nIs the agent running, and are the address and the token right? callwright doctor checks the agent's side.`,
  CW_AGENT_REFUSED: (details: { where: string; code: string; reason: string }) =>
    `${details.where} did not take the call: ${details.code}${details.reason === '' ? '' : `, ${details.reason}`}`,
  CW_ADDRESS_INVALID: (details: { address: string }) =>
    `"${details.address}" is no address of an agent.\nIt begins with ws:// or wss://, as in ws://127.0.0.1:8765`,
  CW_INSTALL_FAILED: (details: { command: string; folder: string }) =>
    `${details.command} did not succeed; the project itself is complete in "${details.folder}".\nRead what it printed above, then run it again there.`,
} as const;

/** A code of {@link cliErrors}. */
export type CliErrorCode = keyof typeof cliErrors;

/** Ends a command; the message is all that is printed. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly code: CliErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
  }

  /** A wrong name or address is a wrong command line; everything else is a failure. */
  get exitCode(): number {
    const isUsage = this.code === 'CW_NAME_INVALID' || this.code === 'CW_ADDRESS_INVALID';
    return isUsage ? EXIT_CODES.usage : EXIT_CODES.failed;
  }
}

/** Makes the error of a code. */
export function cliError<Code extends CliErrorCode>(
  code: Code,
  details: Parameters<(typeof cliErrors)[Code]>[0],
  options?: ErrorOptions,
): CliError {
  // The table's functions differ in their details; the signature ties code and details together.
  const message = cliErrors[code] as (details: never) => string;
  return new CliError(code, message(details as never), options);
}
