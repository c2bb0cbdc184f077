import type { LogEntry, LogSink, Problem } from '@callwright/core';
import type { ApplicationManifest } from '@callwright/gateway';
import { isObject } from '../project';
import type { LoadedProject } from '../root-module';

/** What is known of an application without serving it. */
export interface Inspection {
  /** Null when the application could not be made. */
  readonly manifest: ApplicationManifest | null;
  /** Why it could not be made. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Makes the application as a start does, without listening, describes it, and closes it. Singletons are made, and their start-up hooks run.
 * @throws what the application's own code throws while it starts.
 */
export async function inspectApplication({ callwright, rootModule }: LoadedProject): Promise<Inspection> {
  const warnings = new WarningSink();
  try {
    const application = await callwright.createApplication(rootModule, {
      log: { level: 'warn', sink: warnings, errorDetail: 'full' },
    });
    const manifest = application.manifest();
    await application.close({ lameDuckMs: 0, drainMs: 0 });
    return { manifest, problems: [], warnings: warnings.found };
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    return { manifest: null, problems, warnings: warnings.found };
  }
}

/** The problems of a boot that failed; undefined for every other error. */
function problemsOf(error: unknown): readonly Problem[] | undefined {
  // Not by class: the project's own copy of the framework has thrown it.
  if (!isObject(error) || error.code !== 'CW_BOOT_FAILED' || !Array.isArray(error.problems)) return undefined;
  return error.problems.filter(isProblem);
}

function isProblem(value: unknown): value is Problem {
  return isObject(value) && typeof value.code === 'string' && typeof value.message === 'string';
}

/** Keeps the warnings of a boot; each has the code that its page is found by. */
class WarningSink implements LogSink {
  readonly found: Problem[] = [];

  write({ level, message, fields }: LogEntry): void {
    if (level === 'warn' && typeof fields.code === 'string') this.found.push({ code: fields.code, message });
  }
}
