/**
 * Declares the schemas of the corpus to the real voice server: `npm run conformance:schemas -- PATH_OF_BRISVOX_DRIVER`.
 *
 * A tool whose schema the server cannot compile comes back as an `error` event of stage `agent_link` right behind the accept. None may,
 * but for one that is broken on purpose: without it, a server that said nothing would pass.
 */
import 'reflect-metadata';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { buildAccept, parseServerMessage, type ToolDeclaration } from '@callwright/protocol';
import { planDto } from '@callwright/schema';
import { IsOptional } from 'class-validator';
import { WebSocketServer } from 'ws';
import { corpus } from '../schema/corpus';
import { explicitCorpus } from '../schema/corpus-explicit';
import { cases, type DecoratedCase } from '../schema/decorated';

const TOOLS_PER_CALL = 64;
const CALL_LIMIT_MS = 30_000;
const BROKEN = 'broken_on_purpose';

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const [driver] = process.argv.slice(2);
  if (driver === undefined || !existsSync(driver)) {
    throw new Error('Usage: npm run conformance:schemas -- PATH_OF_BRISVOX_DRIVER');
  }
  const tools = declarations();
  let refused = 0;
  for (let from = 0; from < tools.length; from += TOOLS_PER_CALL - 1) {
    const batch = tools.slice(from, from + TOOLS_PER_CALL - 1);
    const errors = await errorsOfCall(driver, [...batch, brokenTool()]);
    if (!errors.some((error) => error.includes(BROKEN))) {
      throw new Error(`The server did not refuse the broken tool; it said ${JSON.stringify(errors)}.`);
    }
    for (const error of errors.filter((text) => !text.includes(BROKEN))) {
      refused += 1;
      console.log(`  refused: ${error}`);
    }
    console.log(`declared ${Math.min(from + batch.length, tools.length)} of ${tools.length} schemas`);
  }
  console.log(`${tools.length - refused} passed, ${refused} failed`);
  process.exitCode = refused === 0 ? 0 : 1;
}

function declarations(): ToolDeclaration[] {
  const plans = [
    ...[...corpus, ...explicitCorpus].map(({ name, type }) => ({ label: name, plan: planDto(type) })),
    ...cases.flatMap((decorated) => [
      { label: decorated.label, plan: planDto(classWith(decorated, false)) },
      { label: `optional ${decorated.label}`, plan: planDto(classWith(decorated, true)) },
    ]),
  ];
  return plans
    .filter(({ plan }) => plan.problems.length === 0)
    .map(({ label, plan }, index) => ({
      name: `tool_${index}`,
      description: label,
      parameters: plan.jsonSchema,
      kind: 'read_only',
    }));
}

function classWith(decorated: DecoratedCase, optional: boolean): new () => object {
  class Holder {
    value?: unknown;
  }
  decorated.apply()(Holder.prototype, 'value');
  if (optional) IsOptional()(Holder.prototype, 'value');
  return Holder;
}

function brokenTool(): ToolDeclaration {
  const parameters = { type: 'object', properties: { value: { type: 'no such type' } } };
  return { name: BROKEN, description: 'Broken.', parameters, kind: 'read_only' };
}

/** Lets the driver play one call against an agent with these tools; what the server says of them is what counts, not the driver's checks. */
async function errorsOfCall(driver: string, tools: readonly ToolDeclaration[]): Promise<string[]> {
  const errors: string[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const accepted = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('message', (data) => {
        const message = parseServerMessage(data.toString());
        if (message.type === 'session.start') {
          socket.send(buildAccept({ version: 1, tools, events: [] }));
        } else if (message.type === 'error' && message.stage === 'agent_link') errors.push(message.message);
        // Errors about the accept come before every other message, so one of another kind says that they are complete.
        else resolve();
      });
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const child = spawn(driver, ['--url', `ws://127.0.0.1:${port}`, '--scenario', 'basic', '--quiet'], {
    stdio: 'ignore',
  });
  await Promise.race([accepted, ended(child)]);
  child.kill('SIGKILL');
  for (const socket of server.clients) socket.terminate();
  server.close();
  return errors;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), CALL_LIMIT_MS);
    child.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
  });
}
