import { isIPv4, isIPv6 } from 'node:net';

/** A host as an operator writes it (`[::1]`), as `listen` wants it (`::1`). */
export function normalizeHost(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** Whether only this machine can reach `host`. A name other than `localhost` counts as reachable from outside. */
export function isLoopback(host: string): boolean {
  const address = host.toLowerCase();
  if (address === 'localhost') return true;
  if (isIPv4(address)) return address.startsWith('127.');
  if (!isIPv6(address)) return false;
  if (address.startsWith('::ffff:') && isIPv4(address.slice(7))) return address.slice(7).startsWith('127.');
  return /^(0{0,4}:){2,7}0{0,3}1$/.test(address);
}

/** `ws://host:port`, with brackets around an IPv6 address. */
export function formatUrl(secure: boolean, host: string, port: number): string {
  const scheme = secure ? 'wss' : 'ws';
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
