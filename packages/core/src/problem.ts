/**
 * One thing that is wrong with the program, found at boot. `di`, `schema` and `core` all report problems of
 * this shape; the application throws every problem of one boot in a single `BootError`.
 */
export interface Problem {
  /** A code of the error tables, such as `CW_TOOL_NAME_DUPLICATE`. */
  readonly code: string;
  /** What is wrong, where, why, and how to mend it: at most six lines. */
  readonly message: string;
}
