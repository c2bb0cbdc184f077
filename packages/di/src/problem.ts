/** One thing that is wrong with the program, found when the container was planned. */
export interface Problem {
  /** A code of the error tables, such as `CW_DI_CYCLE`. */
  readonly code: string;
  /** What is wrong, where, why, and how to mend it: at most six lines. */
  readonly message: string;
}
