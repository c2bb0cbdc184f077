import { ToolError } from '../failures';
import type { Pipe, PipeTarget } from '../pipe';

/**
 * Takes the blanks off the ends of a text: of the argument, or of each text that stands directly in a class of arguments or in
 * a list. A text of nothing but blanks is refused; an empty one stays empty.
 */
export class TrimPipe implements Pipe {
  transform<T>(value: T, target: PipeTarget): T {
    // Each value keeps its own type: a text stays a text, an object stays itself.
    if (typeof value === 'string') return trimmed(value, target.name) as T;
    if (Array.isArray(value)) return value.map((item) => trimmed(item, target.name)) as T;
    if (typeof value !== 'object' || value === null) return value;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string') (value as Record<string, unknown>)[key] = trimmed(member, key);
    }
    return value;
  }
}

function trimmed(value: unknown, name: string | undefined): unknown {
  if (typeof value !== 'string' || value === '') return value;
  const text = value.trim();
  if (text !== '') return text;
  throw new ToolError(`${name ?? 'the value'} is blank`);
}
