import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from './paths';
import { bundledAgent, nestAgent, nodePeers, type Peer, pythonAgent } from './peers/peers';
import type { AgentProgram } from './processes/agent-process';

/** The agents by the names they have in the tables. */
export type AgentName =
  | 'bare'
  | 'corked'
  | 'corked (control)'
  | 'callwright'
  | 'callwright (all features)'
  | 'callwright (64 tools)'
  | 'callwright (bundled)'
  | 'python'
  | 'nest';

const COMPILED = join(BENCH_FOLDER, 'dist');

/** Where tsc puts the agent that is written with Callwright. */
export const CALLWRIGHT_FOLDER = join(COMPILED, 'callwright', 'callwright');

/** The agents of a run. Each peer is looked for once; one that cannot be had is told once. */
export class Programs {
  readonly #say: (line: string) => void;
  readonly #found = new Map<string, Promise<Peer<unknown>>>();

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  agent(name: AgentName): Promise<Peer<AgentProgram>> {
    return this.#once(name, () => this.#find(name));
  }

  /** The folder with the npm peers in its `node_modules`. */
  nodePeers(): Promise<Peer<string>> {
    return this.#once('npm peers', () => nodePeers(this.#say));
  }

  async #find(name: AgentName): Promise<Peer<AgentProgram>> {
    switch (name) {
      case 'bare':
        return node(name, join(COMPILED, 'agents', 'bare.js'));
      case 'corked':
      case 'corked (control)':
        return node(name, join(COMPILED, 'agents', 'bare.js'), 'corked');
      case 'callwright':
        return node(name, join(CALLWRIGHT_FOLDER, 'agent.js'));
      case 'callwright (all features)':
        return node(name, join(CALLWRIGHT_FOLDER, 'full-agent.js'));
      case 'callwright (64 tools)':
        return node(name, join(CALLWRIGHT_FOLDER, 'many-tools-agent.js'));
      case 'callwright (bundled)':
        return bundledAgent(await this.nodePeers(), await this.agent('callwright'));
      case 'python':
        return pythonAgent(this.#say);
      case 'nest':
        return nestAgent(this.#say);
    }
  }

  #once<T>(key: string, find: () => Promise<Peer<T>>): Promise<Peer<T>> {
    const known = this.#found.get(key);
    // The key stands for the type: every key is asked for with one `find` only.
    if (known !== undefined) return known as Promise<Peer<T>>;
    const found = find();
    this.#found.set(key, found);
    void found.then((peer) => {
      if (!peer.ok) this.#say(`${key} cannot be measured: ${peer.why}`);
    });
    return found;
  }
}

function node(name: AgentName, script: string, ...args: string[]): Peer<AgentProgram> {
  if (!existsSync(script)) return { ok: false, why: 'it is not built (npm run bench builds it)' };
  return { ok: true, value: { name, command: process.execPath, args: [script, ...args] } };
}
