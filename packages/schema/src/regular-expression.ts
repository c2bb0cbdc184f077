/** What a pattern of JSON Schema can say of a regular expression of JavaScript. */
export interface RegularExpression {
  /** The expression as written, for descriptions. */
  readonly text: string;
  /** The source for `pattern`, which JSON Schema reads with the flag `u`; left out where it would mean something else. */
  readonly pattern?: string;
  /** Whether `pattern` accepts exactly what the expression accepts. */
  readonly exact: boolean;
  /** Why the expression cannot be used at all. */
  readonly refusal?: string;
}

/** Reads an expression given as such. */
export function readExpression(expression: RegExp): RegularExpression {
  const { source, flags } = expression;
  const text = `/${source}/${flags}`.slice(0, 120);
  if (/[gy]/.test(flags))
    return { text, exact: false, refusal: 'the flags g and y keep a position between two checks' };
  if (/[imsv]/.test(flags)) return { text, exact: false };
  if (flags.includes('u')) return { text, pattern: source, exact: true };
  const pattern = withUnicodeFlag(source);
  return pattern === undefined ? { text, exact: false } : { text, pattern, exact: !hasOpenClass(source) };
}

/** Reads an expression given as a string, with flags as class-validator takes them. */
export function readStringExpression(source: string, flags: unknown): RegularExpression {
  try {
    return readExpression(new RegExp(source, typeof flags === 'string' ? flags : ''));
  } catch {
    return { text: source.slice(0, 120), exact: false, refusal: 'it is not a regular expression' };
  }
}

/**
 * The source as the flag `u` needs it, or `undefined` where the flag would refuse strings that match without it.
 * With `u` a character outside the basic plane is one character, without it two: only an expression that counts
 * characters of an open class (`.`, `[^a]`, `\W`) can tell.
 */
function withUnicodeFlag(source: string): string | undefined {
  if (hasAstral(source) || (hasOpenClass(source) && countsOpenClass(source))) return undefined;
  const pattern = source.replace(/\\([-"'#%&,:;<=>@_`~! ])/g, '$1');
  // A hyphen that was escaped inside a class must stay so; the flag allows that escape only there.
  const candidate = source.includes('\\-') ? escapeHyphensInClasses(source) : pattern;
  try {
    new RegExp(candidate, 'u');
    return candidate;
  } catch {
    return undefined;
  }
}

function escapeHyphensInClasses(source: string): string {
  let inClass = false;
  return source.replace(/\\[\s\S]|[[\]]/g, (token) => {
    if (token === '[') inClass = true;
    if (token === ']') inClass = false;
    if (token === '\\-') return inClass ? token : '-';
    return /^\\["'#%&,:;<=>@_`~! ]$/.test(token) ? token.slice(1) : token;
  });
}

function hasAstral(source: string): boolean {
  return /[\uD800-\uDFFF]/.test(source) || /\\u[dD][89a-fA-F]/.test(source);
}

const openClass = /\\[DSW]|\[\^|(?<!\\)\./;

function hasOpenClass(source: string): boolean {
  return openClass.test(source);
}

function countsOpenClass(source: string): boolean {
  const atoms = source.match(/(?:\\[DSW]|\[\^(?:\\.|[^\]])*\]|(?<!\\)\.)(?![*+])/g) ?? [];
  return atoms.length > 0 && (atoms.length > 1 || /[{+*]/.test(source));
}
