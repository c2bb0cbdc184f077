import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ProtocolError, protocolErrors } from './errors';

const details = { what: 'A say text', why: 'must not be blank' };

test.each([
  ['CW_WIRE_UNREADABLE', 'bad_message'],
  ['CW_WIRE_TOO_LARGE', 'too_large'],
  ['CW_WIRE_INVALID', 'invalid_argument'],
  ['CW_WIRE_TOO_MANY', 'too_large'],
  ['CW_SESSION_TOKEN_OPTION', 'invalid_argument'],
] as const)('%s is %s on the wire', (entry, code) => {
  expect(new ProtocolError(entry, details)).toMatchObject({ name: 'ProtocolError', entry, code });
});

test('the messages say what, why and how to mend it', () => {
  const messages = Object.entries(protocolErrors).map(([entry, message]) => `${entry}: ${message(details)}`);
  expect(messages).toEqual([
    'CW_WIRE_UNREADABLE: A say text cannot be read: must not be blank.\nThe sender breaks version 1 of the protocol; drop the frame and go on.',
    'CW_WIRE_TOO_LARGE: A say text is too large: must not be blank.\nMake it smaller; the other side would drop the link over it.',
    'CW_WIRE_INVALID: A say text cannot be sent: it must not be blank.\nNothing was sent. Mend the value and send again.',
    'CW_WIRE_TOO_MANY: A say text cannot be sent: must not be blank.\nNothing was sent. Send fewer, or spread them over several messages.',
    'CW_SESSION_TOKEN_OPTION: A session token cannot be minted: A say text must not be blank.\nNo token was made. Mend the option.',
  ]);
});

test('the ids in an error are there to be asked for, and not printed', () => {
  const error = new ProtocolError('CW_WIRE_UNREADABLE', details, {
    toolCallId: 71_234,
    commandId: 'from the wire',
  });
  expect(error.toolCallId).toBe(71_234);
  expect(error.commandId).toBe('from the wire');
  expect(`${inspect(error)} ${JSON.stringify(error)}`).not.toMatch(/71_?234|from the wire/);
});

test('every code has its section in the reference', () => {
  const page = readFileSync(join(__dirname, '../../../docs/reference/errors.md'), 'utf8');
  for (const entry of Object.keys(protocolErrors)) expect(page).toContain(`### ${entry}\n`);
});
