import { cliError } from './errors';

const MAX_LENGTH = 60;

/** A name in the forms that files and classes need: `table-booking`, `TableBooking`, `tableBooking`. */
export interface Name {
  readonly kebab: string;
  readonly pascal: string;
  readonly camel: string;
}

/**
 * Reads a name as people write it: `table-booking`, `tableBooking` or `TableBooking`.
 * @param what what gets the name, for the error.
 * @throws CliError `CW_NAME_INVALID`
 */
export function readName(what: string, name: string): Name {
  if (!/^[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*$/.test(name) || name.length > MAX_LENGTH) {
    throw cliError('CW_NAME_INVALID', { what, name });
  }
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return {
    kebab: words.join('-'),
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
  };
}
