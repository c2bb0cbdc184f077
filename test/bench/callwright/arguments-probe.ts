/**
 * From an arguments object to a validated DTO: the plan of @callwright/schema against plainToInstance and validateSync,
 * in turns. The argument is the number of rounds. Prints one line of JSON: times, and the verdicts over a corpus.
 */
import 'reflect-metadata';
import { type ArgumentsPlan, planDto } from '@callwright/schema';
import { plainToInstance } from 'class-transformer';
import { IsPhoneNumber, validateSync } from 'class-validator';
import { bookTableArguments } from '../agents/booking';
import { BookTable } from './booking.dto';
import { corpusOf } from './corpus';

/** The same with a rule that JSON Schema has no image for. */
class BookTableByPhone extends BookTable {
  @IsPhoneNumber() contact!: string;
}

type Class = new () => object;

const SLICE_MS = 60;
const SLICES_PER_ROUND = 3;
const WARM_UP_MS = 300;
const BATCH = 16;
const VALIDATOR_OPTIONS = { whitelist: true, forbidNonWhitelisted: true };

function main(rounds: number): void {
  const schemaOnly = compiled(BookTable);
  const withPhone = compiled(BookTableByPhone);
  const phoneArguments = { ...bookTableArguments, contact: '+390612345678' };
  const corpus = corpusOf(bookTableArguments);
  const differing = corpus.filter(
    (value) => schemaOnly.bind(clone(value)).ok !== theirVerdict(BookTable, clone(value)),
  );
  process.stdout.write(
    `${JSON.stringify({
      schemaOnly: compare(schemaOnly, BookTable, bookTableArguments, rounds),
      withPhoneNumber: compare(withPhone, BookTableByPhone, phoneArguments, rounds),
      corpusSize: corpus.length,
      differing: differing.length,
    })}\n`,
  );
  for (const value of differing.slice(0, 10))
    process.stderr.write(`the verdicts differ: ${JSON.stringify(value)}\n`);
}

function compiled(type: Class): ArgumentsPlan {
  const plan = planDto(type);
  if (plan.problems.length > 0) throw new Error(plan.problems.map(({ message }) => message).join('\n'));
  plan.compile();
  return plan;
}

function theirVerdict(type: Class, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return validateSync(plainToInstance(type, value), VALIDATOR_OPTIONS).length === 0;
}

function compare(
  plan: ArgumentsPlan,
  type: Class,
  value: object,
  rounds: number,
): { oursNs: number[]; theirsNs: number[] } {
  const ours = (): void => {
    if (!plan.bind(value).ok) throw new Error('our plan refused the arguments of the bench');
  };
  const theirs = (): void => {
    if (!theirVerdict(type, value)) throw new Error('class-validator refused the arguments of the bench');
  };
  nsPerRun(ours, WARM_UP_MS);
  nsPerRun(theirs, WARM_UP_MS);
  const oursNs: number[] = [];
  const theirsNs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let oursTotal = 0;
    let theirsTotal = 0;
    for (let slice = 0; slice < SLICES_PER_ROUND; slice++) {
      oursTotal += nsPerRun(ours, SLICE_MS);
      theirsTotal += nsPerRun(theirs, SLICE_MS);
    }
    oursNs.push(oursTotal / SLICES_PER_ROUND);
    theirsNs.push(theirsTotal / SLICES_PER_ROUND);
  }
  return { oursNs, theirsNs };
}

function nsPerRun(run: () => void, windowMs: number): number {
  const before = process.cpuUsage();
  const deadline = performance.now() + windowMs;
  let runs = 0;
  while (performance.now() < deadline) {
    for (let at = 0; at < BATCH; at++) run();
    runs += BATCH;
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / runs;
}

function clone<T>(value: T): T {
  return structuredClone(value);
}

main(Number(process.argv[2] ?? 7));
