import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiError, type DiErrorCode, type DiErrorDetails, diErrors } from './errors';

const place = 'BookingService, parameter 1 of the constructor';
const typed = { type: 'BookingService', module: 'BookingModule', parameters: 'parameters 0, 1' };

const examples: { [C in DiErrorCode]: DiErrorDetails<C> } = {
  CW_DI_PROVIDER_MISSING: [
    {
      token: 'Calendar',
      place,
      module: 'BookingModule',
      hints: ['Did you mean: CalendarService (Calendars)?'],
    },
  ],
  CW_DI_PROVIDER_NOT_EXPORTED: [
    { token: 'Calendar', place, module: 'BookingModule', owner: 'CalendarModule', imported: true },
  ],
  CW_DI_CYCLE: [{ path: ['Menu', 'Kitchen', 'Menu'] }],
  CW_DI_CAPTIVE_SCOPE: [
    { path: ['Report (SINGLETON)', 'Basket (CALL)'], singleton: 'Report', captive: 'Basket' },
  ],
  CW_DI_METADATA_NOT_EMITTED: [typed],
  CW_DI_METADATA_LATE: [typed],
  CW_DI_NOT_DECORATED: [typed],
  CW_DI_ANNOTATION_MISSING: [{ place }],
  CW_DI_TYPE_OPAQUE: [{ place, emitted: 'Object' }],
  CW_DI_TYPE_BUILTIN: [{ place, emitted: 'String' }],
  CW_DI_TYPE_UNDEFINED: [{ place }],
  CW_DI_INJECT_MISPLACED: [{ type: 'BookingService', place: 'parameter 0 of book' }],
  CW_DI_NOT_A_MODULE: [{ found: 'BookingService', place: 'AppModule, imports[0]' }],
  CW_DI_IMPORT_UNDEFINED: [{ place: 'AppModule, imports[0]' }],
  CW_DI_IMPORT_REJECTED: [{ place: 'AppModule, imports[0]', error: 'RangeError' }],
  CW_DI_EXPORT_NOT_PROVIDED: [{ token: 'Calendar', module: 'BookingModule', owner: undefined }],
  CW_DI_PROVIDER_DUPLICATE: [{ token: 'Calendar', module: 'BookingModule', count: 2 }],
  CW_DI_MULTI_MIXED: [{ token: 'NAMES', module: 'BookingModule', other: 'CalendarModule' }],
  CW_DI_PROVIDER_INVALID: [{ place: 'AppModule, providers[0]', reason: 'it is null' }],
  CW_DI_OPTION_UNKNOWN: [{ option: 'provider', place: 'AppModule', nearest: 'providers' }],
  CW_DI_OPTION_UNUSED: [
    { option: 'scope', place: 'AppModule, providers[0]', reason: 'a provider with useValue has none' },
  ],
  CW_DI_OVERRIDE_UNUSED: [{ name: 'Calendr', hint: 'Did you mean Calendar?' }],
  CW_DI_LAZY_TRANSIENT: [{ place, token: 'Line' }],
  CW_DI_ASYNC_FACTORY: [{ token: 'CONFIG', module: 'BookingModule', scope: 'CALL' }],
  CW_DI_PROVIDER_AMBIGUOUS: [
    { token: 'Calendar', place, module: 'BookingModule', used: 'OneModule', other: 'OtherModule' },
  ],
  CW_DI_PLAN_HAS_PROBLEMS: [{ count: 2, first: 'The first line.\nThe second line.' }],
  CW_DI_PROVIDER_FAILED: [{ token: 'Database', module: 'StoreModule', step: 'its factory' }],
  CW_DI_GET_CALL_SCOPED: [{ token: 'Basket' }],
  CW_DI_TOO_EARLY: [{ token: 'Kitchen' }],
  CW_DI_NOT_IN_SCOPE: [{ token: 'Basket', module: 'BookingModule' }],
  CW_DI_SCOPE_KEY_IN_USE: [],
  CW_DI_INPUT_COUNT: [{ expected: 1, given: 0 }],
  CW_DI_TEARDOWN_DEADLINE: [{ name: 'Database', deadlineMs: 500, behind: 3 }],
};

const textOf = (code: DiErrorCode): string =>
  (diErrors[code] as (...details: readonly unknown[]) => string)(...examples[code]); // one row of the table

test.each(Object.keys(diErrors) as DiErrorCode[])('the message of %s', (code) => {
  const text = textOf(code);
  expect(text.split('\n').length).toBeLessThanOrEqual(6);
  expect(text).toContain('Mend:');
  expect(text).toMatchSnapshot();
});

test('long paths are cut in the middle', () => {
  const path = Array.from({ length: 200 }, (_, index) => `Class${index}`);
  const text = diErrors.CW_DI_CYCLE({ path });
  expect(text).toContain('Class11 -> (176 more) -> Class188');
  const whole = diErrors.CW_DI_CYCLE({ path: path.slice(0, 24) });
  expect(whole).toContain('Class11 -> Class12');
});

test('errors carry their code and their cause', () => {
  const cause = new Error('why');
  const error = new DiError('CW_DI_CYCLE', 'text', { cause });
  expect(error).toMatchObject({ name: 'DiError', code: 'CW_DI_CYCLE', cause });
});

test('every code has its section in the reference, and every section its code', () => {
  const page = readFileSync(join(__dirname, '../../../docs/reference/errors.md'), 'utf8');
  const documented = [...page.matchAll(/^### (CW_DI_\w+)$/gm)].map(([, code]) => code);
  expect([...documented].sort()).toEqual(Object.keys(diErrors).sort());
});

test('the message of an undefined root speaks of its import', () => {
  const text = diErrors.CW_DI_IMPORT_UNDEFINED({ place: undefined });
  expect(text).toContain('The root module is undefined.');
  expect(text).toContain('Mend:');
  expect(text).toMatchSnapshot();
});
