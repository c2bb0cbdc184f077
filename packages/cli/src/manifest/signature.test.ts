import { signatureOf } from './signature';

describe('the signature of a tool', () => {
  const day = { enum: Array.from({ length: 12 }, (_, index) => `day number ${index}`) };
  const parameters = { properties: { day, note: { type: 'string' } }, required: ['day'] };

  it('is whole in a file or a pipe, however long', () => {
    const text = signatureOf(parameters, { isForTerminal: false });
    expect(text).toMatch(/^day: "day number 0" \| .* "day number 11", note\?: string$/);
  });

  it('is cut on a terminal, at 72 characters', () => {
    const text = signatureOf(parameters, { isForTerminal: true });
    expect(text).toHaveLength(72);
    expect(text).toMatch(/…$/);
    const exact = { properties: { ['x'.repeat(64)]: { type: 'string' } }, required: ['x'.repeat(64)] };
    expect(signatureOf(exact, { isForTerminal: true })).toBe(`${'x'.repeat(64)}: string`);
  });
});
