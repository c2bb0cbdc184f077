import type { Brain } from './brain';
import type { JsonObject } from './recording';
import { rules } from './rules';
import type { ScenarioValues } from './scenario-values';
import { script } from './script';
import { type Heard, type Step, when } from './step';

/** What `$1`, `$2` … stand for: groups of the pattern. `$1:number` as a whole argument is a number. */
const GROUP = /\$(\d)/g;
const WHOLE_NUMBER_GROUP = /^\$(\d):number$/;

/** Reads `rules` or `script` of a scenario: what the model does when it hears something. */
export function readBrain(values: ScenarioValues, document: JsonObject): Brain {
  if (document.rules !== undefined && document.script !== undefined) {
    return values.fail('script', 'there are rules too; a call has one of them');
  }
  if (document.script !== undefined) return script(readSteps(values, document.script, 'script'));
  return rules(document.rules === undefined ? [] : readSteps(values, document.rules, 'rules'));
}

function readSteps(values: ScenarioValues, list: unknown, where: string): readonly Step[] {
  return values.list(list, where).map((item, index) => readStep(values, item, `${where}[${index}]`));
}

function readStep(values: ScenarioValues, item: unknown, where: string): Step {
  const rule = values.object(item, where, ['when', 'call', 'together', 'confirm', 'say']);
  let step = when(values.pattern(rule.when, `${where}.when`));
  for (const [index, call] of values.listOrOne(rule.call).entries()) {
    const [name, args] = readCall(values, call, `${where}.call[${index}]`);
    step = step.call(name, (match) => filled(args, match) as JsonObject); // an object stays one
  }
  const together = values.listOrOne(rule.together).map((call, index) => {
    const [name, args] = readCall(values, call, `${where}.together[${index}]`);
    return [name, (match: RegExpMatchArray) => filled(args, match) as JsonObject] as const; // an object stays one
  });
  if (together.length > 0) step = step.callTogether(...together);
  if (values.flag(rule.confirm, `${where}.confirm`)) step = step.confirm();
  const line = values.text(rule.say, `${where}.say`);
  return step.say((heard) => spoken(line, heard));
}

/** `bookTable`, or `{ bookTable: { guests: 2 } }`. */
function readCall(values: ScenarioValues, call: unknown, where: string): readonly [string, JsonObject] {
  if (typeof call === 'string') return [call, {}];
  const entries = Object.entries(values.object(call, where));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    return values.fail(where, 'it is not one tool with its arguments (name: { … })');
  }
  return [entry[0], values.object(entry[1] ?? {}, `${where}.${entry[0]}`)];
}

function filled(json: unknown, match: RegExpMatchArray): unknown {
  if (typeof json === 'string') {
    const [, group] = WHOLE_NUMBER_GROUP.exec(json) ?? [];
    if (group !== undefined) return Number(match[Number(group)]);
    return withGroups(json, match);
  }
  if (Array.isArray(json)) return json.map((item) => filled(item, match));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, filled(value, match)]));
}

/** `$result` is what the model reads of the last tool. */
function spoken(line: string, { match, outcomes }: Heard): string {
  const result = outcomes.at(-1)?.text ?? '';
  return withGroups(line, match).replaceAll('$result', () => result);
}

function withGroups(text: string, match: RegExpMatchArray): string {
  return text.replace(GROUP, (_whole, group: string) => match[Number(group)] ?? '');
}
