import { isObject } from '../project';

/** What a typed line asks for. */
export type TypedLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Goes on with the next line while the tool runs. */
      readonly inBackground: boolean;
    }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'confirm' | 'interrupt' | 'cut' | 'tools' | 'help' | 'quit' }
  | { readonly kind: 'mistake'; readonly reason: string };

const MAX_WAIT_MS = 600_000;

/** Every command with what it does, as `/help` lists them. */
export const COMMANDS: readonly (readonly [usage: string, about: string])[] = [
  ['TEXT', 'the caller says this'],
  ['/tool NAME {json}', 'the model calls a tool; with a last & the next line does not wait for it'],
  ['/confirm', 'the caller says yes to what waits for it'],
  ['/tools', 'the tools that are offered now'],
  ['/interrupt', 'the caller begins to speak while the bot speaks or a tool runs'],
  ['/cut', 'the connection breaks; the voice server dials again if the agent keeps its calls'],
  ['/wait MS', 'do nothing for some milliseconds: for scripts'],
  ['/help', 'this list'],
  ['/quit', 'hang up'],
];

/** Reads one line as it was typed. */
export function readTypedLine(line: string): TypedLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('/')) return { kind: 'say', text };
  const [command = '', ...words] = text.split(/\s+/);
  switch (command) {
    case '/tool':
      return readTool(text.slice(command.length).trim());
    case '/wait':
      return readWait(words[0] ?? '');
    case '/confirm':
      return { kind: 'confirm' };
    case '/interrupt':
      return { kind: 'interrupt' };
    case '/cut':
      return { kind: 'cut' };
    case '/tools':
      return { kind: 'tools' };
    case '/help':
      return { kind: 'help' };
    case '/quit':
      return { kind: 'quit' };
    default:
      return { kind: 'mistake', reason: `there is no ${command}; /help lists what there is` };
  }
}

function readTool(rest: string): TypedLine {
  const inBackground = rest.endsWith('&');
  const [, name, text = ''] =
    /^(\S+)\s*([\s\S]*)$/.exec(inBackground ? rest.slice(0, -1).trim() : rest) ?? [];
  if (name === undefined)
    return { kind: 'mistake', reason: 'which tool? As in /tool openingHours {"day":"monday"}' };
  try {
    const args: unknown = JSON.parse(text === '' ? '{}' : text);
    if (isObject(args)) return { kind: 'tool', name, args, inBackground };
  } catch {
    // The answer below says what is wanted.
  }
  return {
    kind: 'mistake',
    reason: `the arguments are one JSON object, as in /tool ${name} {"day":"monday"}`,
  };
}

function readWait(text: string): TypedLine {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (ms <= MAX_WAIT_MS) return { kind: 'wait', ms };
  return { kind: 'mistake', reason: `how long? 0 to ${MAX_WAIT_MS} milliseconds, as in /wait 200` };
}
