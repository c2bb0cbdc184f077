import type { CallLink } from './call-link';
import { endCalls, openCalls } from './calls';
import { Deadline, type Load } from './load';

const TEXTS_PER_TURN = 63;
const EVENTS_PER_TURN = TEXTS_PER_TURN + 1;

/**
 * Turns of a talkative model: 63 `bot.text` and one `user.text`, to which the agent answers with a `say`. Every call
 * starts its next turn when it read that `say`.
 */
export class EventFlood implements Load {
  readonly operation = 'event';
  readonly #calls: number;
  #links: CallLink[] = [];

  constructor(calls: number) {
    this.#calls = calls;
  }

  async open(port: number): Promise<void> {
    this.#links = await openCalls(port, this.#calls);
  }

  run(durationMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(durationMs);
      let events = 0;
      let running = this.#calls;
      for (const link of this.#links) {
        link.onMessage((text) => {
          const say = /^\{.*"type": ?"say"/.test(text);
          if (!say) return reject(new Error(`a turn was answered with: ${text}`));
          acknowledge(link, text);
          events += EVENTS_PER_TURN;
          if (!deadline.passed) link.sendAll(turn(link));
          else if (--running === 0) resolve(events);
        });
        link.sendAll(turn(link));
      }
    });
  }

  async close(): Promise<void> {
    await endCalls(this.#links);
    this.#links = [];
  }
}

function turn(link: CallLink): string[] {
  const ageMs = link.ageMs();
  const texts: string[] = [];
  for (let at = 0; at < TEXTS_PER_TURN; at++) {
    texts.push(
      `{"type":"bot.text","seq":${link.nextSeq()},"t_ms":${ageMs},"epoch":4,"text":"a table for four "}`,
    );
  }
  texts.push(
    `{"type":"user.text","seq":${link.nextSeq()},"t_ms":${ageMs},"epoch":5,"text":"and one chair for a child"}`,
  );
  return texts;
}

/** A command with an id waits for its result. */
function acknowledge(link: CallLink, say: string): void {
  const id = /"id": ?"([^"]+)"/.exec(say)?.[1];
  if (id === undefined) return;
  link.send(
    `{"type":"command.result","seq":${link.nextSeq()},"t_ms":${link.ageMs()},"id":"${id}","ok":true}`,
  );
}
