import { CallLink } from './call-link';

/** How many calls open at once: more would overrun the backlog of a listening socket. */
const OPENING_AT_ONCE = 50;

/** Opens calls, some at a time, and gives them in order. */
export async function openCalls(port: number, count: number): Promise<CallLink[]> {
  const links: CallLink[] = [];
  while (links.length < count) {
    const now = Math.min(OPENING_AT_ONCE, count - links.length);
    links.push(...(await Promise.all(Array.from({ length: now }, () => CallLink.open(port)))));
  }
  return links;
}

/** Ends calls and waits until the agent closed every one. */
export async function endCalls(links: readonly CallLink[]): Promise<void> {
  for (let from = 0; from < links.length; from += OPENING_AT_ONCE) {
    await Promise.all(links.slice(from, from + OPENING_AT_ONCE).map((link) => link.end()));
  }
}
