import type { ComparedAgent, ComparedTool } from './read-manifest';
import { schemaChanges } from './schema-change';

/** One difference between two manifests. */
export interface ManifestChange {
  /** `luigi`, or `luigi.bookTable`, or `luigi.bookTable: guest.name`. */
  readonly where: string;
  readonly what: string;
  /** Whether what worked before may fail now: a recording, a scenario, a call that is resumed by the new code. */
  readonly isBreaking: boolean;
}

/** What changed from one manifest to the next, agent by agent and tool by tool. */
export function compareManifests(
  before: readonly ComparedAgent[],
  after: readonly ComparedAgent[],
): readonly ManifestChange[] {
  return pairs(before, after).flatMap(({ name, old, now }): readonly ManifestChange[] => {
    if (now === undefined) return [{ where: name, what: 'the agent is gone', isBreaking: true }];
    if (old === undefined) return [{ where: name, what: 'the agent is new', isBreaking: false }];
    return pairs(old.tools, now.tools).flatMap((tools) => toolChanges(name, tools));
  });
}

interface Pair<T> {
  readonly name: string;
  readonly old: T | undefined;
  readonly now: T | undefined;
}

function pairs<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly Pair<T>[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.map((name) => ({
    name,
    old: before.find((each) => each.name === name),
    now: after.find((each) => each.name === name),
  }));
}

function toolChanges(agent: string, { name, old, now }: Pair<ComparedTool>): readonly ManifestChange[] {
  const where = `${agent}.${name}`;
  if (now === undefined) return [{ where, what: 'the tool is gone', isBreaking: true }];
  if (old === undefined) return [{ where, what: 'the tool is new', isBreaking: false }];
  const change = (what: string, isBreaking: boolean): ManifestChange => ({ where, what, isBreaking });
  return [
    ...(old.kind === now.kind ? [] : [change(`kind ${old.kind} → ${now.kind}`, true)]),
    ...(old.confirm === now.confirm
      ? []
      : [change(`asks the caller first: ${yesOrNo(old.confirm)} → ${yesOrNo(now.confirm)}`, true)]),
    ...(old.repeatable === now.repeatable
      ? []
      : [change(`repeatable: ${yesOrNo(old.repeatable)} → ${yesOrNo(now.repeatable)}`, !now.repeatable)]),
    ...(old.timeoutMs === now.timeoutMs ? [] : [change(`time: ${time(old)} → ${time(now)}`, false)]),
    ...(old.description === now.description ? [] : [change('the description changed', false)]),
    ...schemaChanges(old.parameters, now.parameters).map((each) => ({
      where: each.where === '' ? where : `${where}: ${each.where}`,
      what: each.what,
      isBreaking: each.isBreaking,
    })),
  ];
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function time({ timeoutMs }: ComparedTool): string {
  return timeoutMs === null ? "the voice server's own" : `${timeoutMs} ms`;
}
