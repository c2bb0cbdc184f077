import type { Call } from 'callwright';

/** The WebSocket of a call, as far as the acts need it. */
export interface RawLink {
  send(frame: string | Buffer): void;
  close(code: number, reason: string): void;
}

/**
 * The way past every check. A call shows its link, and a brisvox link its WebSocket, under registered symbols
 * that no declaration names: tests of ours find them, users of the packages don't by accident.
 */
const linkKey = Symbol.for('callwright:core:link');
const webSocketKey = Symbol.for('callwright:gateway:web-socket');

/** The WebSocket under a live call. */
export function rawLinkOf(call: Call): RawLink {
  const link = read(call, linkKey);
  const webSocket = typeof link === 'object' && link !== null ? read(link, webSocketKey) : undefined;
  if (webSocket === undefined) throw new Error('the call has no link to speak past the checks');
  // Only our own gateway sets this key, and it sets a WebSocket.
  return webSocket as RawLink;
}

function read(target: object, key: symbol): unknown {
  return Reflect.get(target, key);
}
