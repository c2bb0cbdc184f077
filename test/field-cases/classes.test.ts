import AjvCore from 'ajv/dist/core';
import { Arg, Call, Injectable, OnEvent, Scope, Tool, ToolContext, UserText, VoiceAgent } from 'callwright';
import { IsInt, IsString } from 'class-validator';
import { answersTo, closeAll, dealtWith, serve, until } from './served';

afterEach(closeAll);

it('B30: 200 tools that each listen five times to their signal raise no warning of a leak', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);

  @VoiceAgent({ name: 'listening' })
  class ListeningAgent {
    @Tool('Does five things that can be stopped.')
    async five(tool: ToolContext): Promise<number> {
      for (let count = 0; count < 5; count += 1) tool.signal.addEventListener('abort', () => undefined);
      for (let count = 0; count < 20; count += 1)
        tool.signal.addEventListener('abort', () => undefined, { once: true });
      return 5;
    }

    @Tool('Answers.')
    ping(): string {
      return 'pong';
    }
  }
  const client = await (await serve(ListeningAgent)).call();
  for (let id = 1; id <= 200; id += 1) {
    client.toolCall(id, 'five');
    await client.result(id);
  }
  await dealtWith(client, 'ping');
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('B32: the validators of ten tools are compiled once each, whatever the number of calls', async () => {
  const compile = jest.spyOn(AjvCore.prototype, 'compile');

  @VoiceAgent({ name: 'ten' })
  class TenAgent {
    @Tool('0') t0(@Arg('x') x: number): number {
      return x;
    }
    @Tool('1') t1(@Arg('x') x: number): number {
      return x;
    }
    @Tool('2') t2(@Arg('x') x: number): number {
      return x;
    }
    @Tool('3') t3(@Arg('x') x: number): number {
      return x;
    }
    @Tool('4') t4(@Arg('x') x: number): number {
      return x;
    }
    @Tool('5') t5(@Arg('x') x: number): number {
      return x;
    }
    @Tool('6') t6(@Arg('x') x: number): number {
      return x;
    }
    @Tool('7') t7(@Arg('x') x: number): number {
      return x;
    }
    @Tool('8') t8(@Arg('x') x: number): number {
      return x;
    }
    @Tool('9') t9(@Arg('x') x: number): number {
      return x;
    }
  }
  const served = await serve(TenAgent);
  for (let count = 0; count < 100; count += 1) {
    const client = await served.call({ session_id: String(count) });
    for (let id = 0; id < 10; id += 1) client.toolCall(id, `t${id}`, { x: id });
    for (let id = 0; id < 10; id += 1) expect(await client.result(id)).toMatchObject({ result: id });
    client.socket.terminate();
  }
  expect(compile).toHaveBeenCalledTimes(10);
  compile.mockRestore();
});

it('B81: private fields of agents, CALL providers and argument classes work in tools, handlers and hooks', async () => {
  const seen: string[] = [];

  class Order {
    @IsString() dish!: string;
    @IsInt() count: number = 1;
    #seasoned = 0;

    season(): number {
      this.#seasoned += 1;
      return this.#seasoned;
    }
  }
  @Injectable({ scope: Scope.CALL })
  class Kitchen {
    #orders = 0;

    take(): number {
      this.#orders += 1;
      return this.#orders;
    }
  }
  @VoiceAgent({ name: 'private' })
  class PrivateAgent {
    #heard = 0;

    constructor(private readonly kitchen: Kitchen) {}

    onCallStart(): void {
      this.#heard = 1;
    }

    @OnEvent(UserText)
    heard(): void {
      this.#heard += 1;
    }

    @Tool('Orders.')
    order(order: Order): string {
      return `${order.dish} x${order.count} ${order.season()} ${this.kitchen.take()} ${this.#heard}`;
    }

    onCallEnd(): void {
      seen.push(`heard ${this.#heard}`);
    }
  }
  const client = await (await serve(PrivateAgent, {}, [Kitchen])).call();
  client.send({ type: 'user.text', epoch: 1, text: 'hello' });
  client.toolCall(1, 'order', { dish: 'soup', count: 2 });
  expect(await client.result(1)).toMatchObject({ result: 'soup x2 1 1 2' });
  client.send({ type: 'session.end', reason: 'call_ended' });
  await until(() => seen.length > 0);
  expect(seen).toEqual(['heard 2']);
});

it('B85: a ToolError of a second copy of the package reaches the model with its message', async () => {
  let OtherToolError: new (message: string) => Error = Error;
  jest.isolateModules(() => {
    OtherToolError = jest.requireActual<typeof import('callwright')>('callwright').ToolError;
  });

  @VoiceAgent({ name: 'copies' })
  class CopiesAgent {
    constructor(readonly call: Call) {}

    @Tool('Fails as another copy would.')
    fail(): string {
      throw new OtherToolError('no table left');
    }
  }
  const client = await (await serve(CopiesAgent)).call();
  client.toolCall(1, 'fail');
  expect(await client.result(1)).toMatchObject({ error: 'no table left' });
  expect(answersTo(client, 1)).toHaveLength(1);
});
