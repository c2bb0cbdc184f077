import { createApplication } from 'callwright';
import { AppModule } from './app.module';

async function main(): Promise<void> {
  const application = await createApplication(AppModule);
  for (const tool of application.manifest().agents.flatMap((agent) => agent.tools)) {
    const { name, guards, interceptors, pipes, filters } = tool;
    console.log(name, { guards, interceptors, pipes, filters });
  }
  const url = await application.listen();
  console.log(`Listening on ${url}; stop with Ctrl+C.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void application.close());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
