import type { CliSystem } from './system';

/** What every command gets: where it runs, and how it says its exit code. */
export interface CommandContext {
  readonly system: CliSystem;
  readonly exitWith: (exitCode: number) => void;
}
