import { createApplication } from 'callwright';
import { announceListening } from '../agents/listening';

type Class = new (...args: never[]) => object;

/** Serves a module's agents on a free port of this machine; everything else is as by default. */
export async function serve(module: Class): Promise<void> {
  const application = await createApplication(module, { host: '127.0.0.1', port: 0, maxCalls: 20_000 });
  const url = await application.listen();
  announceListening(Number(new URL(url).port));
  const stop = { signal: 'SIGTERM', lameDuckMs: 0, drainMs: 0 };
  process.once('SIGTERM', () => void application.close(stop));
}
