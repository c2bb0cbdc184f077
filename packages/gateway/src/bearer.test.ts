import { BearerCheck } from './bearer';

/** A request with these `Authorization` headers. */
const having = (authorization: string[] | undefined) => ({ headersDistinct: { authorization } });

describe('the bearer check', () => {
  const check = new BearerCheck(['alpha', 'beta gamma']);

  it.each([['Bearer alpha'], ['bearer alpha'], ['BEARER   alpha'], ['Bearer beta gamma']])(
    'lets "%s" in',
    (header) => {
      expect(check.accept(having([header]))).toBe(header.includes('alpha') ? 0 : 1);
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
    expect(check.accept(having([header]))).toBeUndefined();
  });

  it('refuses a missing header, and two of them even when both are right', () => {
    expect(check.accept(having(undefined))).toBeUndefined();
    expect(check.accept(having([]))).toBeUndefined();
    expect(check.accept(having(['Bearer alpha', 'Bearer alpha']))).toBeUndefined();
  });

  it('lets everybody in when there is no token', () => {
    expect(new BearerCheck([]).accept(having(undefined))).toBe(0);
  });
});
