import type { Class } from './class';
import type { Direction } from './class-transformer';
import { problem, type SchemaErrorCode, type schemaErrors } from './errors';
import type { Problem } from './problem';

type Details<Code extends SchemaErrorCode> = Omit<Parameters<(typeof schemaErrors)[Code]>[0], 'where'>;

/** Collects what is wrong while classes are read; it stops nothing. */
export class ProblemList {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];

  report<Code extends SchemaErrorCode>(code: Code, where: string, details: Details<Code>): void {
    this.problems.push(problem(code, { where, ...details } as Parameters<(typeof schemaErrors)[Code]>[0])); // the two halves make the whole
  }

  warn<Code extends SchemaErrorCode>(code: Code, where: string, details: Details<Code>): void {
    this.warnings.push(problem(code, { where, ...details } as Parameters<(typeof schemaErrors)[Code]>[0])); // the two halves make the whole
  }
}

/** What one reading of classes shares. */
export interface Reading {
  readonly list: ProblemList;
  readonly groups: readonly string[] | undefined;
  readonly timeZone: string | undefined;
  /** Whether arguments are read (`in`) or a result (`out`). */
  readonly direction: Direction;
  /** What stands before a class's name in problems, such as `LuigiAgent.bookTable, parameter 0: `. */
  readonly prefix: string;
  /** Asks for a class to be read too; it is read once, after the present one. */
  readonly reach: (type: Class) => void;
}
