import type { Problem } from '@callwright/core';
import type { ApplicationManifest } from '@callwright/gateway';
import type { Paint } from '../paint';
import { markdownTable, textTable } from '../table';
import type { Inspection } from './inspection';
import { signatureOf } from './signature';

type Agent = ApplicationManifest['agents'][number];
type Tool = Agent['tools'][number];

/** How an inspection is shown to people. */
export interface ShowOptions {
  readonly paint: Paint;
  /** The schema of each tool too. */
  readonly schemas: boolean;
  /** Long arguments are cut. */
  readonly isForTerminal: boolean;
}

/** An inspection for people: agents, tools, and what is wrong. */
export function inspectionAsText({ manifest, problems, warnings }: Inspection, options: ShowOptions): string {
  const { paint } = options;
  const parts = [
    ...(manifest?.agents ?? []).map((agent) => agentAsText(agent, options)),
    ...(manifest === null ? [] : [limitsAsText(manifest)]),
    ...warnings.map((each) => problemAsText(each, paint('warning', 'yellow'))),
    ...problems.map((each) => problemAsText(each, paint('problem', 'red'))),
    verdict(problems.length, warnings.length, paint),
  ];
  return `${parts.join('\n\n')}\n`;
}

function agentAsText(agent: Agent, { paint, schemas, isForTerminal }: ShowOptions): string {
  const lines = [
    `${paint(agent.name, 'bold')}  ${agent.class} in ${agent.module}${marks(agent)}`,
    textTable(factsOf(agent), '  '),
    '',
    textTable([TOOL_HEAD, ...agent.tools.map((tool) => toolRow(tool, isForTerminal))], '  '),
  ];
  if (schemas)
    lines.push(...agent.tools.map((tool) => `\n  ${tool.name} ${JSON.stringify(tool.parameters)}`));
  return lines.join('\n');
}

function marks(agent: Agent): string {
  const all = [...(agent.default ? ['default'] : []), ...(agent.resume ? ['resumes lost calls'] : [])];
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

function factsOf(agent: Agent): readonly (readonly string[])[] {
  const { bytes, limitBytes } = agent.accept;
  const percent = Math.ceil((bytes / limitBytes) * 100);
  const hooks = agent.hooks.map(({ method }) => method).join(', ');
  return [
    ['accept', `${bytes} of ${limitBytes} bytes (${percent} %)`],
    ['events', agent.events === 'all' ? 'all' : agent.events.join(', ') || 'none'],
    ...agent.handlers.map(({ method, events }) => ['handler', `${method} (${events.join(', ')})`]),
    ...(hooks === '' ? [] : [['hooks', hooks]]),
    ...agent.timers.map(({ method, delayMs, repeats }) => [
      'timer',
      `${method} (${repeats ? 'every' : 'after'} ${delayMs} ms)`,
    ]),
  ];
}

const TOOL_HEAD = ['TOOL', 'KIND', 'ARGUMENTS', 'MORE'];

function toolRow(tool: Tool, isForTerminal: boolean): readonly string[] {
  return [tool.name, tool.kind, signatureOf(tool.parameters, { isForTerminal }), moreOf(tool).join(', ')];
}

function moreOf(tool: Tool): readonly string[] {
  return [
    ...(tool.confirm ? ['asks the caller first'] : []),
    ...(tool.repeatable ? ['repeatable'] : []),
    ...(tool.timeoutMs === null ? [] : [`at most ${tool.timeoutMs} ms`]),
    ...(tool.guards.length === 0 ? [] : [`guards: ${tool.guards.join(', ')}`]),
    ...(tool.interceptors.length === 0 ? [] : [`interceptors: ${tool.interceptors.join(', ')}`]),
    ...(tool.pipes.length === 0 ? [] : [`pipes: ${tool.pipes.join(', ')}`]),
  ];
}

function limitsAsText({ limits }: ApplicationManifest): string {
  return `At most ${limits.maxCalls} calls at once; a call is answered within ${limits.handshakeTimeoutMs} ms.`;
}

function problemAsText({ code, message }: Problem, label: string): string {
  return `${label} ${code}\n  ${message.replaceAll('\n', '\n  ')}`;
}

function verdict(problems: number, warnings: number, paint: Paint): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  if (problems > 0) return paint(`${counted(problems, 'problem')}: the application does not start.`, 'red');
  if (warnings > 0) return paint(`No problems, ${counted(warnings, 'warning')}.`, 'yellow');
  return paint('No problems, no warnings.', 'green');
}

/** An inspection as a page: agents, tools with their schemas, warnings and problems. */
export function inspectionAsMarkdown({ manifest, problems, warnings }: Inspection): string {
  const parts = (manifest?.agents ?? []).flatMap((agent) => [
    `## ${agent.name}`,
    `\`${agent.class}\` in \`${agent.module}\`${marks(agent)}`,
    markdownTable([['', ''], ...factsOf(agent)]),
    markdownTable([
      ['tool', 'kind', 'what it does', 'more'],
      ...agent.tools.map((tool) => [
        `\`${tool.name}\``,
        tool.kind,
        tool.description,
        moreOf(tool).join(', '),
      ]),
    ]),
    ...agent.tools.flatMap((tool) => [
      `### ${tool.name}`,
      `\`\`\`json\n${JSON.stringify(tool.parameters, undefined, 2)}\n\`\`\``,
    ]),
  ]);
  const listed = (title: string, found: readonly Problem[]): string[] =>
    found.length === 0
      ? []
      : [
          `## ${title}`,
          found.map(({ code, message }) => `- ${code}: ${message.replaceAll('\n', ' ')}`).join('\n'),
        ];
  return `${['# Agents', ...parts, ...listed('Warnings', warnings), ...listed('Problems', problems)].join('\n\n')}\n`;
}
