/**
 * Compiles the metadata-sensitive tests (`*metadata.test.ts`) and all sources that they reach, twice:
 * by tsc, which sees types across files, and by `ts.transpileModule`, which sees one file at a time, as ts-jest with
 * `isolatedModules` does. The ordinary tests run on swc's output. The three emit different `design:type`s for the same
 * class, and what we read from them must come out the same.
 */
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const ts = require('typescript');

const root = join(__dirname, '..', '..');
const output = join(root, '.cache', 'tsc-metadata');

rmSync(output, { recursive: true, force: true });
const config = readConfig(join(__dirname, 'tsconfig.json'));
const program = ts.createProgram(config.fileNames, config.options);
failOn([...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]);
const sources = program
  .getSourceFiles()
  .filter((file) => !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file));
for (const file of sources) transpile(file);
console.log(
  `Compiled ${config.fileNames.length} tests and what they reach (${sources.length} files), by tsc and alone.`,
);

function readConfig(path) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => failOn([diagnostic]) };
  const parsed = ts.getParsedCommandLineOfConfigFile(path, {}, host);
  failOn(parsed.errors);
  return parsed;
}

function transpile(file) {
  const { outputText } = ts.transpileModule(file.text, {
    compilerOptions: { ...config.options, module: ts.ModuleKind.CommonJS, moduleResolution: undefined },
    fileName: file.fileName,
  });
  const place = join(output, 'transpile', relative(root, file.fileName).replace(/\.ts$/, '.js'));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, outputText);
}

function failOn(diagnostics) {
  if (diagnostics.length === 0) return;
  console.error(ts.formatDiagnostics(diagnostics, { ...ts.createCompilerHost({}), getNewLine: () => '\n' }));
  process.exit(1);
}
