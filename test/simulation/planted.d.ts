/** Bugs that the simulation must find. */
export declare const planted: readonly {
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}[];
