import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CoreErrorCode, coreErrors } from './errors';
import { CommandError } from './failures';

const where = 'LuigiAgent.bookTable, parameter 0';
const method = 'LuigiAgent.bookTable';
const agent = 'LuigiAgent';

const examples: { [C in CoreErrorCode]: Parameters<(typeof coreErrors)[C]> } = {
  CW_AGENT_UNDECORATED: [{ agent }],
  CW_AGENT_NAME_INVALID: [{ agent, name: "Luigi's" }],
  CW_AGENT_NAME_DUPLICATE: [{ name: 'luigi', agents: 'LuigiAgent, MarioAgent' }],
  CW_AGENT_DEFAULT_DUPLICATE: [{ agents: 'LuigiAgent, MarioAgent' }],
  CW_AGENT_NONE: [{ misplaced: '' }],
  CW_AGENT_OPTION_INVALID: [{ agent, option: 'greeting', why: 'it is not a text, or blank' }],
  CW_TOOLSET_NOT_CALL_SCOPED: [{ agent, toolSet: 'CalendarTools' }],
  CW_TOOL_NAME_INVALID: [{ where: method, name: 'book a table' }],
  CW_TOOL_NAME_RESERVED: [{ where: method, name: 'confirm_pending' }],
  CW_TOOL_NAME_DUPLICATE: [{ agent, name: 'book', where: 'LuigiAgent.book, CalendarTools.book' }],
  CW_TOOL_DESCRIPTION_MISSING: [{ where: method }],
  CW_TOOL_DESCRIPTION_TOO_LONG: [{ where: method, bytes: 5_000, limitBytes: 4_096 }],
  CW_TOOL_COUNT: [{ agent, count: 65, limit: 64 }],
  CW_TOOL_OPTION_INVALID: [
    { where: method, option: 'timeoutMs', why: 'it is a whole number from 1 to 30000' },
  ],
  CW_TOOL_PARAMETER_OPAQUE: [{ where, type: 'Object', name: 'day' }],
  CW_TOOL_PARAMETER_UNKNOWN: [{ where, type: 'BookingService', name: 'service', isSingleValue: false }],
  CW_TOOL_PARAMETERS_MIXED: [{ where: method }],
  CW_TOOL_PARAMETER_REST: [{ where: method }],
  CW_HANDLER_PARAMETER_UNKNOWN: [{ where: 'LuigiAgent.heard, parameter 1' }],
  CW_EVENT_UNKNOWN: [{ where: 'LuigiAgent.heard', event: 'user.txt', nearest: 'user.text' }],
  CW_META_NOT_EMITTED: [{ where: method }],
  CW_META_LOADED_LATE: [{ where: method }],
  CW_ACCEPT_INVALID: [{ hook: 'LuigiAgent.onCallStart', why: 'its greeting is no text' }],
  CW_ACCEPT_TOO_LARGE: [{ agent, bytes: 70_000, limitBytes: 65_536, largest: 'systemPrompt 60000 bytes' }],
  CW_TOOL_SCHEMA_UNUSABLE: [{ where, why: 'it gives no JSON Schema of its own' }],
  CW_SCHEMA_ASYNC: [{ where }],
  CW_ENHANCER_INVALID: [
    { where: method, decorator: '@UseGuards', name: 'KnownCaller', method: 'canActivate' },
  ],
  CW_DECORATOR_WITHOUT_EFFECT: [{ where: 'LuigiAgent.onCallEnd', decorator: '@UseGuards', role: 'hook' }],
  CW_TIMER_INVALID: [
    { where: 'LuigiAgent.remind', decorator: '@Interval', why: 'a delay is a whole number' },
  ],
  CW_NEXT_AGAIN: [{ where: method }],
  CW_CONFIG_INVALID: [{ schema: 'Env', variables: ['PORT must be a whole number', 'API_KEY is not set'] }],
  CW_CONFIG_SCHEMA_UNUSABLE: [{ schema: 'Env', why: 'it is no class whose properties have validators' }],
  CW_CALL_CONNECTING: [{ command: 'say' }],
  CW_CALL_CLOSED: [{ command: 'say', state: 'ended' }],
  CW_COMMAND_FAILED: [{ command: 'say', code: 'queue_full', detail: 'eight lines are waiting' }],
  CW_COMMAND_TIMEOUT: [{ command: 'say', afterMs: 10_000 }],
  CW_BOOT_FAILED: [{ count: 1, problems: 'CW_AGENT_NONE: The application has no agent.' }],
};

const codes = Object.keys(coreErrors) as CoreErrorCode[]; // the keys of the table

/** The compiler cannot pair a union of functions with a union of their parameters. */
function messageOf(code: CoreErrorCode): string {
  return (coreErrors[code] as (...details: unknown[]) => string)(...examples[code]);
}

describe('the messages', () => {
  it.each(codes)('of %s is this', (code) => {
    expect(messageOf(code)).toMatchSnapshot();
  });

  it.each(codes)('of %s has at most six lines and says how to mend it', (code) => {
    const message = messageOf(code);
    expect(message.split('\n').length).toBeLessThanOrEqual(6);
    if (code !== 'CW_BOOT_FAILED') expect(message).toContain('Mend: ');
  });
});

describe('a message says one thing:', () => {
  it('a refused command why, and one way to mend it', () => {
    const detail =
      'say text cannot be sent: it must not be blank.\nNothing was sent. Mend the value and send again.';
    expect(new CommandError('say', 'invalid_argument', detail).message).toBe(
      'say() failed: invalid_argument (say text cannot be sent: it must not be blank).\nMend: correct what the command is given.',
    );
    expect(new CommandError('say', 'queue_full').message).toBe(
      'say() failed: queue_full.\nMend: catch CommandError and look at its code.',
    );
  });

  it('a parameter of a single value needs a name', () => {
    const details = { where, type: 'String', name: 'day', isSingleValue: true };
    expect(coreErrors.CW_TOOL_PARAMETER_UNKNOWN(details)).toMatchSnapshot();
  });

  it('an agent among the providers belongs elsewhere', () => {
    expect(coreErrors.CW_AGENT_NONE({ misplaced: 'LuigiAgent' })).toMatchSnapshot();
  });
});

describe('the page of errors', () => {
  it('has a section for every code, and none for others', () => {
    const page = readFileSync(path.join(__dirname, '../../../docs/reference/errors.md'), 'utf8');
    const [, section = ''] = page.split('## @callwright/core\n');
    const [own = ''] = section.split('\n## ');
    const documented = [...own.matchAll(/^### (CW_\w+)$/gm)].map((match) => match[1]);
    expect(documented.sort()).toEqual([...codes].sort());
  });
});
