import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { goalOf } from '../goals';
import { BENCH_FOLDER } from '../paths';
import { compileForPeers } from '../peers/peers';
import { runProbe } from '../processes/probe';
import { CALLWRIGHT_FOLDER } from '../programs';
import { figureOf } from '../statistics';
import { notMeasured, type Reference, type Suite, type SuiteContext, type SuiteResult } from './suite';

const SCOPES_PROBE = join(CALLWRIGHT_FOLDER, 'scopes-probe.js');
const BOOT_PROBE = join(CALLWRIGHT_FOLDER, 'boot-probe.js');
const PEER_SOURCES = join(BENCH_FOLDER, 'peers', 'containers');
const PEER_CONTAINERS = ['by hand', 'inversify', 'tsyringe', 'typedi', 'awilix', 'nest'] as const;
const PEER_RUNS = 3;

/** What the probe of our scopes prints. */
interface ScopesResult {
  readonly smallNs: number;
  readonly smallBytes: number;
  readonly largeNs: number;
  readonly largeKeptBytes: number;
}

/** What a container of another project prints. */
interface PeerScopeResult {
  readonly cpuNs: number;
  readonly bytes: number;
}

/** Call scopes, of ours and of other containers on the same graph. */
export const scopeSuite: Suite = {
  goalIds: ['P10'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const goals = ['5 providers', '5 providers, bytes', '12 objects', '12 objects, kept'].map((name) =>
      goalOf('P10', name),
    );
    if (!existsSync(SCOPES_PROBE)) {
      return {
        outcomes: goals.map((goal) => notMeasured(goal, 'it is not built')),
        references: await peerScopes(context),
      };
    }
    context.say('call scopes: callwright');
    const runs: ScopesResult[] = [];
    for (let run = 0; run < context.options.rounds; run++)
      runs.push(await runProbe<ScopesResult>(SCOPES_PROBE));
    return {
      outcomes: [
        { goal: goalOf('P10', '5 providers'), figure: figureOf(runs.map((run) => run.smallNs)) },
        { goal: goalOf('P10', '5 providers, bytes'), figure: figureOf(runs.map((run) => run.smallBytes)) },
        { goal: goalOf('P10', '12 objects'), figure: figureOf(runs.map((run) => run.largeNs / 1_000)) },
        { goal: goalOf('P10', '12 objects, kept'), figure: figureOf(runs.map((run) => run.largeKeptBytes)) },
      ],
      references: await peerScopes(context),
    };
  },
};

async function peerScopes(context: SuiteContext): Promise<Reference[]> {
  const peers = await context.programs.nodePeers();
  if (!peers.ok) return [];
  const script = await compileForPeers(join(PEER_SOURCES, 'scopes.ts'), 'scopes.js');
  const references: Reference[] = [];
  for (const subject of PEER_CONTAINERS) {
    context.say(`call scopes: ${subject}`);
    const runs: PeerScopeResult[] = [];
    for (let run = 0; run < PEER_RUNS; run++) runs.push(await runProbe<PeerScopeResult>(script, [subject]));
    const work = 'scope of 5 providers';
    references.push({ work, subject, unit: 'ns', figure: figureOf(runs.map((run) => run.cpuNs)) });
    references.push({ work, subject, unit: 'bytes', figure: figureOf(runs.map((run) => run.bytes)) });
  }
  return references;
}

interface BootResult {
  readonly wallMs: number;
  /** Problems reported for a tree in which every module has one. */
  readonly problems: number;
}

/** Booting 200 modules with five providers each, every time in a new process. */
export const bootSuite: Suite = {
  goalIds: ['P13'],
  async run(context: SuiteContext): Promise<SuiteResult> {
    const references = await peerBoot(context);
    const goals = ['boot', 'errors'].map((name) => goalOf('P13', name));
    if (!existsSync(BOOT_PROBE)) {
      return { outcomes: goals.map((goal) => notMeasured(goal, 'it is not built')), references };
    }
    context.say('boot of 200 modules: callwright');
    const runs: BootResult[] = [];
    for (let run = 0; run < context.options.rounds; run++) runs.push(await runProbe<BootResult>(BOOT_PROBE));
    return {
      outcomes: [
        { goal: goalOf('P13', 'boot'), figure: figureOf(runs.map((run) => run.wallMs)) },
        { goal: goalOf('P13', 'errors'), figure: figureOf(runs.map((run) => run.problems)) },
      ],
      references,
    };
  },
};

async function peerBoot(context: SuiteContext): Promise<Reference[]> {
  const peers = await context.programs.nodePeers();
  if (!peers.ok) return [];
  context.say('boot of 200 modules: nest');
  const script = await compileForPeers(join(PEER_SOURCES, 'nest-boot.ts'), 'nest-boot.js');
  const runs: BootResult[] = [];
  for (let run = 0; run < PEER_RUNS; run++) runs.push(await runProbe<BootResult>(script));
  return [
    {
      work: 'boot of 200 modules',
      subject: 'nest',
      unit: 'ms',
      figure: figureOf(runs.map((run) => run.wallMs)),
    },
  ];
}
