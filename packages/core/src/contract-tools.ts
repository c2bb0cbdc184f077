import { suggestion } from '@callwright/di';
import {
  type ArgumentsPlan,
  planDto,
  planResult,
  planScalars,
  type ScalarParameter,
} from '@callwright/schema';
import type { Class } from './class-types';
import type { ToolPlan } from './contract';
import { coreErrors } from './errors';
import type { ToolDeclaration } from './link';
import { type MethodMember, methodName, toolMembers } from './method-members';
import { compileInvocation, type ParameterSource, readParameters } from './method-parameters';
import type { Problem } from './problem';
import type { ToolRecord } from './records';
import { planStandard } from './standard-schema';
import type { ToolOptions } from './tool';

/** The voice server registers none of an agent's tools when there are more. */
export const TOOL_COUNT_LIMIT = 64;
const DESCRIPTION_LIMIT_BYTES = 4_096;
const TIMEOUT_LIMIT_MS = 30_000;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const RESERVED_NAME = 'confirm_pending';
const COMMON_OPTIONS = ['kind', 'description', 'name', 'timeoutMs', 'fillerAfterMs', 'groups', 'result'];
const OPTIONS_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  read_only: COMMON_OPTIONS,
  side_effect: [...COMMON_OPTIONS, 'confirm', 'repeatable', 'reconcile'],
};

interface ToolsReading {
  readonly tools: ReadonlyMap<string, ToolPlan>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The tools of an agent and its tool sets, by wire name. */
export function readTools(
  agent: Class,
  owners: readonly Class[],
  timeZone: string | undefined,
): ToolsReading {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const tools = new Map<string, ToolPlan>();
  const places = new Map<string, string[]>();
  for (const owner of owners) {
    for (const member of toolMembers(owner)) {
      const plan = planTool(owner, member, timeZone, problems, warnings);
      const { name } = plan.declaration;
      places.set(name, [...(places.get(name) ?? []), plan.where]);
      if (!tools.has(name)) tools.set(name, plan);
    }
  }
  for (const [name, where] of places) {
    if (where.length < 2) continue;
    const details = { agent: agent.name, name, where: where.join(', ') };
    problems.push(problem('CW_TOOL_NAME_DUPLICATE', coreErrors.CW_TOOL_NAME_DUPLICATE(details)));
  }
  if (tools.size > TOOL_COUNT_LIMIT) {
    const details = { agent: agent.name, count: tools.size, limit: TOOL_COUNT_LIMIT };
    problems.push(problem('CW_TOOL_COUNT', coreErrors.CW_TOOL_COUNT(details)));
  }
  return { tools, problems, warnings };
}

function planTool(
  owner: Class,
  member: MethodMember<ToolRecord>,
  timeZone: string | undefined,
  problems: Problem[],
  warnings: Problem[],
): ToolPlan {
  const { options } = member.record;
  const where = methodName(owner, member.key);
  const name = options.name ?? String(member.key);
  problems.push(...nameProblems(where, name), ...optionProblems(where, options));
  const parameters = readParameters(member, where, 'tool');
  problems.push(...parameters.problems);
  const args = planArguments(parameters.sources, where, options, timeZone);
  problems.push(...args.problems);
  warnings.push(...args.warnings);
  const result = options.result ? planResult(options.result) : undefined;
  if (result) problems.push(...result.problems);
  return {
    declaration: declarationOf(name, options, args),
    where,
    type: owner,
    method: member.key,
    parameters: parameters.sources,
    args,
    result,
    reconcile: options.kind === 'side_effect' ? options.reconcile : undefined,
    invoke: compileInvocation(member.key, parameters.sources),
  };
}

function planArguments(
  sources: readonly ParameterSource[],
  where: string,
  options: ToolOptions,
  timeZone: string | undefined,
): ArgumentsPlan {
  const settings = { where, timeZone, groups: options.groups };
  const whole = sources.find((source) => source.from === 'arguments');
  if (whole?.schema) return planStandard(whole.schema, whole.jsonSchema, whole.where);
  if (whole) return planDto(whole.type, { ...settings, where: whole.where });
  const scalars: ScalarParameter[] = [];
  for (const source of sources) if (source.from === 'argument') scalars.push(source.parameter);
  return planScalars(scalars, settings);
}

function declarationOf(name: string, options: ToolOptions, args: ArgumentsPlan): ToolDeclaration {
  const sideEffect = options.kind === 'side_effect' ? options : undefined;
  return {
    name,
    description: options.description,
    parameters: args.jsonSchema,
    kind: options.kind,
    timeoutMs: options.timeoutMs,
    fillerAfterMs: options.fillerAfterMs,
    confirm: sideEffect?.confirm ? true : undefined,
    repeatable: sideEffect?.repeatable ? true : undefined,
  };
}

function nameProblems(where: string, name: string): Problem[] {
  if (!TOOL_NAME.test(name)) {
    return [problem('CW_TOOL_NAME_INVALID', coreErrors.CW_TOOL_NAME_INVALID({ where, name }))];
  }
  if (name !== RESERVED_NAME) return [];
  return [problem('CW_TOOL_NAME_RESERVED', coreErrors.CW_TOOL_NAME_RESERVED({ where, name }))];
}

function optionProblems(where: string, options: ToolOptions): Problem[] {
  const problems: Problem[] = [];
  const invalid = (option: string, why: string): void => {
    const message = coreErrors.CW_TOOL_OPTION_INVALID({ where, option, why });
    problems.push(problem('CW_TOOL_OPTION_INVALID', message));
  };
  const known = OPTIONS_BY_KIND[options.kind];
  if (options.kind === undefined)
    invalid(
      'kind',
      "it is required: 'read_only' for what only looks something up, 'side_effect' for the rest",
    );
  else if (!known) invalid('kind', "it is neither 'read_only' nor 'side_effect'");
  for (const option of Object.keys(options)) {
    if (known && !known.includes(option))
      invalid(option, `a ${options.kind} tool has no such option${suggestion(option, known)}`);
  }
  if (!isWholeNumber(options.timeoutMs, 1, TIMEOUT_LIMIT_MS)) {
    invalid('timeoutMs', `it is a whole number from 1 to ${TIMEOUT_LIMIT_MS}`);
  }
  if (!isWholeNumber(options.fillerAfterMs, 0, Number.MAX_SAFE_INTEGER)) {
    invalid('fillerAfterMs', 'it is a whole number from 0');
  }
  problems.push(...descriptionProblems(where, options.description));
  if (options.kind === 'side_effect') sideEffectProblems(options, invalid);
  return problems;
}

/** Plain JavaScript may give anything, and a text would count as true. */
function sideEffectProblems(
  options: Extract<ToolOptions, { kind: 'side_effect' }>,
  invalid: (option: string, why: string) => void,
): void {
  for (const option of ['confirm', 'repeatable', 'reconcile'] as const) {
    const expected = option === 'reconcile' ? 'function' : 'boolean';
    const found = typeof options[option];
    if (found !== expected && found !== 'undefined') invalid(option, `it is no ${expected}`);
  }
}

function descriptionProblems(where: string, description: unknown): Problem[] {
  if (typeof description !== 'string' || description.trim() === '') {
    return [problem('CW_TOOL_DESCRIPTION_MISSING', coreErrors.CW_TOOL_DESCRIPTION_MISSING({ where }))];
  }
  const bytes = Buffer.byteLength(description);
  if (bytes <= DESCRIPTION_LIMIT_BYTES) return [];
  const details = { where, bytes, limitBytes: DESCRIPTION_LIMIT_BYTES };
  return [problem('CW_TOOL_DESCRIPTION_TOO_LONG', coreErrors.CW_TOOL_DESCRIPTION_TOO_LONG(details))];
}

function isWholeNumber(value: unknown, least: number, most: number): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most);
}

function problem(code: string, message: string): Problem {
  return { code, message };
}
