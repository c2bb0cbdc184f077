import { OptionError, readOptions } from './options';

test('without options every goal is measured in seven rounds', () => {
  const options = readOptions([]);
  expect(options.rounds).toBe(7);
  expect(options.warmUpMs).toBe(1_000);
  expect(options.only).toContain('P1');
  expect(options.only).toContain('P11');
});

test('a quick run leaves out what takes minutes', () => {
  const options = readOptions(['--quick']);
  expect(options.only).not.toContain('P7');
  expect(options.only).not.toContain('P11');
  expect(options.only).toContain('P1');
});

test('named goals are measured, a slow one of them in a quick run too', () => {
  expect([...readOptions(['--only', 'P1,p10']).only]).toEqual(['P1', 'P10']);
  expect([...readOptions(['--quick', '--only=P7']).only]).toEqual(['P7']);
});

test.each([[['--only', 'P99']], [['--only']], [['--fast']]])('%j is refused', (argv) => {
  expect(() => readOptions(argv)).toThrow(OptionError);
});
