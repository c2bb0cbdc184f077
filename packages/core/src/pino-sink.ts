import type { LogEntry, LogLevel, LogSink } from './logger';

/** What of a pino logger is used; any logger of this shape will do. */
export type PinoLike = Readonly<Record<LogLevel, (fields: object, message: string) => void>>;

/**
 * Sends log lines to pino (or a logger of its shape), which then has the last word on levels, redaction and transport. The
 * time is pino's own.
 *
 * @example
 * ```ts no-run
 * import { createApplication, Module, pinoSink, VoiceAgent } from 'callwright';
 * import pino from 'pino';
 *
 * @VoiceAgent({ name: 'hello' })
 * class HelloAgent {}
 *
 * @Module({ agents: [HelloAgent] })
 * class AppModule {}
 *
 * const logger = pino({ level: 'debug' });
 * void createApplication(AppModule, { log: { level: 'debug', sink: pinoSink(logger) } });
 * ```
 */
export function pinoSink(logger: PinoLike): LogSink {
  return {
    write({ level, message, callId, fields }: LogEntry): void {
      logger[level](callId === undefined ? fields : { ...fields, callId }, message);
    },
  };
}
