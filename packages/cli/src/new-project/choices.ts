/** What is asked, or given by flags, when a project is made. */
export interface ProjectChoices {
  readonly name: string;
  readonly lint: Lint;
  /** The version of our packages that the project starts with. */
  readonly version: string;
}

export const LINTS = ['biome', 'none'] as const;

/** A formatter and linter, or none. */
export type Lint = (typeof LINTS)[number];
