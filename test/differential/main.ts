import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApplication } from '@callwright/gateway';
import { Module } from 'callwright';
import { ConformanceAgent } from '../conformance/conformance-agent';
import { Random } from '../fuzz/random';
import { compare, type Finding, same } from './compare';
import { play, type Transcript } from './played-call';
import { PythonAgent } from './python-agent';
import { sequenceOf } from './sequence';

@Module({ agents: [ConformanceAgent] })
class ConformanceModule {}

const atOnce = 16;
const shownFindings = 20;

/** `npm run differential -- --sequences N --seed S --json`: exit code 1 for a difference that no section describes. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sequences: { type: 'string', default: '2000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      json: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  const python = await PythonAgent.start();
  const application = await createApplication(ConformanceModule, {
    port: 0,
    maxCalls: 100_000,
    log: { level: 'fatal' },
  });
  try {
    const ours = await application.listen();
    const findings = await compareAll({ ours, theirs: python.url, count: Number(values.sequences), seed });
    report(findings, { sequences: Number(values.sequences), seed, asJson: values.json });
  } finally {
    await python.stop();
    await application.close();
  }
}

interface Comparison {
  readonly ours: string;
  readonly theirs: string;
  readonly count: number;
  readonly seed: number;
}

async function compareAll({ ours, theirs, count, seed }: Comparison): Promise<Finding[]> {
  const random = new Random(seed);
  const findings: Finding[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const sequence = sequenceOf(random, begun);
      const their = await play(theirs, sequence, () => true);
      const our = await play(ours, sequence, (state) => same(state, their.state));
      findings.push(...compare(sequence, our, await settled(theirs, sequence, our, their)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings;
}

/** A handler of theirs may have been slower than our question; then the same is asked once more. */
async function settled(
  url: string,
  sequence: ReturnType<typeof sequenceOf>,
  ours: Transcript,
  theirs: Transcript,
): Promise<Transcript> {
  if (compare(sequence, ours, theirs).every(({ difference }) => difference !== undefined)) return theirs;
  return play(url, { ...sequence, first: sequence.first }, (state) => same(state, ours.state));
}

function report(
  findings: readonly Finding[],
  {
    sequences,
    seed,
    asJson,
  }: { readonly sequences: number; readonly seed: number; readonly asJson: boolean },
): void {
  const page = readFileSync(join(__dirname, 'differences.md'), 'utf8');
  const described = new Set([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title));
  const isDescribed = ({ difference }: Finding): boolean =>
    difference !== undefined && described.has(difference);
  const unknown = findings.filter((finding) => !isDescribed(finding));
  const counts: Record<string, number> = {};
  for (const { difference = 'not described' } of findings) counts[difference] = (counts[difference] ?? 0) + 1;
  if (asJson)
    console.log(
      JSON.stringify({
        sequences,
        seed,
        violations: unknown.length,
        counts,
        findings: unknown.slice(0, shownFindings),
      }),
    );
  else {
    console.log(`seed ${seed}: ${sequences} sequences, differences by section: ${JSON.stringify(counts)}`);
    console.log(`differences that no section describes: ${unknown.length}`);
    for (const { sequence, difference, what } of unknown.slice(0, shownFindings)) {
      console.log(`  sequence ${sequence} (${difference ?? 'not expected'}): ${what}`);
    }
  }
  if (unknown.length > 0) process.exitCode = 1;
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
