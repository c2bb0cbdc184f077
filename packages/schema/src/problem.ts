/** One thing that is wrong with a class, found at boot. Problems are collected, never thrown one by one. */
export interface Problem {
  /** A code of the error tables, such as `CW_META_OPAQUE`. */
  readonly code: string;
  /** What is wrong, where, why, and how to mend it: at most six lines. */
  readonly message: string;
}
