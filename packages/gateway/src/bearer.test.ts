import { BearerCheck } from './bearer';

describe('the bearer check', () => {
  const check = new BearerCheck(['alpha', 'beta gamma']);

  it.each([['Bearer alpha'], ['bearer alpha'], ['BEARER   alpha'], ['Bearer beta gamma']])(
    'lets "%s" in',
    (header) => {
      expect(check.accepts([header])).toBe(true);
    },
  );

  it.each([
    [''],
    ['Bearer'],
    ['Bearer '],
    ['alpha'],
    ['Bearer Alpha'],
    ['Bearer alph'],
    ['Bearer alphaa'],
    ['Bearer alpha '],
    ['Bearer\talpha'],
    ['Bearer beta'],
    ['Basic alpha'],
    ['Bearer alpha, Bearer beta gamma'],
  ])('refuses "%s"', (header) => {
    expect(check.accepts([header])).toBe(false);
  });

  it('refuses a missing header, and two of them even when both are right', () => {
    expect(check.accepts(undefined)).toBe(false);
    expect(check.accepts([])).toBe(false);
    expect(check.accepts(['Bearer alpha', 'Bearer alpha'])).toBe(false);
  });

  it('lets everybody in when there is no token', () => {
    expect(new BearerCheck([]).accepts(undefined)).toBe(true);
  });
});
