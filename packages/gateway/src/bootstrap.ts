import { systemClock } from '@callwright/core';
import type { Class, DynamicModule } from '@callwright/di';
import type { Application } from './application';
import { createApplication } from './assembly';
import type { GatewayOptions } from './options';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Exit code of a program whose shutdown cut calls before their own end. */
export const EXIT_CODE_CALLS_CUT = 2;
/** A program that is closed, or did not start, and still does not end (a timer of its own, an open file) is ended after this. */
const EXIT_PATIENCE_MS = 1_000;
const LONG_MS = 60_000;

/**
 * Runs an application as a program: makes it, listens, and closes it at `SIGTERM` or `SIGINT`: calls go on to their own
 * end for at most `drainMs`. A second signal cuts them and goes straight to the end, a third one ends the process at once. What is
 * wrong at boot is printed in plain sentences. Never rejects; the exit code says how it went: 0 for a clean end, 1 for a boot
 * that failed, an unhandled rejection or an uncaught exception (both close it as a signal does), 2 when calls were cut.
 *
 * @returns the application, or undefined when it could not start: the process then ends within a second, whatever else runs in it.
 *
 * @example
 * ```ts no-run
 * import 'callwright';
 * import { bootstrap, Module, VoiceAgent } from 'callwright';
 *
 * @VoiceAgent({ name: 'hello', greeting: 'Hello!' })
 * class HelloAgent {}
 *
 * @Module({ agents: [HelloAgent] })
 * class AppModule {}
 *
 * void bootstrap(AppModule);
 * ```
 */
export async function bootstrap(
  root: Class | DynamicModule,
  options: GatewayOptions = {},
): Promise<Application | undefined> {
  const letGo = keepAlive();
  let release: (() => void) | undefined;
  try {
    const application = await createApplication(root, options);
    // Before it says that it listens: whoever reads that line may send a signal at once.
    release = endWithProcess(application);
    await application.listen();
    return application;
  } catch (error) {
    release?.();
    process.exitCode = 1;
    process.stderr.write(`${bootFailure(error)}\n`);
    exitSoon();
    return undefined;
  } finally {
    letGo();
  }
}

/** Our own errors say what to do; of others the stack is what helps, and there is no caller yet whose words it could hold. */
function bootFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!code.startsWith('CW_')) return error.stack ?? error.message;
  // What a provider of the program threw is the reason; other errors of ours have theirs in the message.
  const isOfProvider = code.startsWith('CW_DI_') && error.cause !== undefined;
  return isOfProvider ? `${error.message}\nThe cause: ${bootFailure(error.cause)}` : error.message;
}

/** The clock's timers keep no process alive; without this, it could end, as if all were well, while something is waited for. */
function keepAlive(): () => void {
  // biome-ignore lint/style/noRestrictedGlobals: it waits for nothing; it only keeps the process alive
  const alive = setInterval(() => undefined, LONG_MS);
  return () => clearInterval(alive);
}

/** The timer does not keep the process alive: it fires only where something else does. */
function exitSoon(): void {
  systemClock.setTimer(() => process.exit(), EXIT_PATIENCE_MS);
}

/** @returns what takes the handlers away again. */
function endWithProcess(application: Application): () => void {
  let isClosing = false;
  let isHurried = false;
  const close = async (signal: string): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    const letGo = keepAlive();
    const { cutCalls } = await application.close({ signal });
    if (cutCalls > 0) process.exitCode ||= EXIT_CODE_CALLS_CUT;
    letGo();
    release();
    exitSoon();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isHurried) process.exit(EXIT_CODE_CALLS_CUT);
    if (isClosing) {
      isHurried = true;
      application.logger.warn('closing now: calls are cut', { signal });
      void application.close({ drainMs: 0 });
      return;
    }
    application.logger.info('closing; once more to cut live calls', { signal, calls: application.callCount });
    void close(signal);
  };
  const onUnhandledRejection = (error: unknown): void => {
    application.logger.fatal('a promise was rejected and nobody handled it; the process ends', { error });
    process.exitCode = 1;
    void close('unhandledRejection');
  };
  /** Of a timer or listener of the program: the calls know nothing of it, and Node would print its message. */
  const onUncaughtException = (error: unknown): void => {
    application.logger.fatal('an exception was thrown and nobody caught it; the process ends', { error });
    process.exitCode = 1;
    void close('uncaughtException');
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('unhandledRejection', onUnhandledRejection);
    process.off('uncaughtException', onUncaughtException);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('unhandledRejection', onUnhandledRejection);
  process.on('uncaughtException', onUncaughtException);
  return release;
}
