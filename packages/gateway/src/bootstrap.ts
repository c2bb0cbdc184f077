import { systemClock } from '@callwright/core';
import type { Class, DynamicModule } from '@callwright/di';
import { type Application, createApplication } from './application';
import type { GatewayOptions } from './options';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** A program that is closed and still does not end (a timer of its own, an open file) is ended after this. */
const EXIT_PATIENCE_MS = 1_000;

/**
 * Runs an application as a program: makes it, listens, and closes it at `SIGTERM` or `SIGINT`; a second signal ends the
 * process at once. What is wrong at boot is printed in plain sentences. Never rejects; the exit code says how it went: 0 for a
 * clean end, 1 for a boot that failed or an unhandled rejection.
 *
 * @returns the application, or undefined when it could not start.
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
  let application: Application | undefined;
  try {
    application = await createApplication(root, options);
    await application.listen();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${bootFailure(error)}\n`);
    return undefined;
  }
  endWithProcess(application);
  return application;
}

/** Our own errors say what to do; of others the stack is what helps, and there is no caller yet whose words it could hold. */
function bootFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = 'code' in error && typeof error.code === 'string' && error.code.startsWith('CW_');
  return isOurs ? error.message : (error.stack ?? error.message);
}

function endWithProcess(application: Application): void {
  let isClosing = false;
  const close = async (reason: string): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    await application.close(reason);
    release();
    // This timer does not keep the process alive: it fires only where something else does.
    systemClock.setTimer(() => process.exit(), EXIT_PATIENCE_MS);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isClosing) process.exit(1);
    application.logger.info('closing', { signal });
    void close(signal);
  };
  const onUnhandledRejection = (error: unknown): void => {
    application.logger.fatal('a promise was rejected and nobody handled it; the process ends', { error });
    process.exitCode = 1;
    void close('unhandledRejection');
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('unhandledRejection', onUnhandledRejection);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('unhandledRejection', onUnhandledRejection);
}
