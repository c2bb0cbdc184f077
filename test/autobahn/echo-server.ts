import { GatewayServer } from '../../packages/gateway/src/server';
import { readSettings } from '../../packages/gateway/src/settings';

/** The server that agents listen with, and its options, behind it nothing but an echo: what Autobahn's client wants. */
export async function startEchoServer(): Promise<{ readonly url: string; stop(): void }> {
  const { settings } = readSettings({ port: 0, log: { level: 'fatal' } }, {});
  const server = new GatewayServer(settings, {
    isOpen: () => true,
    judge: () => undefined,
    connected: ({ webSocket }) => {
      webSocket.on('error', () => undefined);
      webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
    },
  });
  await server.listen();
  return {
    url: server.url,
    stop: () => {
      server.stopListening();
      server.terminate();
    },
  };
}
