import Module from 'node:module';

/**
 * Runs a file as `node FILE` would, in this process: it is `require.main`, and `process.argv` names it.
 * @throws what the file throws while it loads.
 */
export function runMain(file: string): void {
  process.argv = [process.execPath, file];
  // Not in the types of Node, though what `node FILE` itself calls; it takes the file from process.argv.
  (Module as unknown as { runMain(): void }).runMain();
}
