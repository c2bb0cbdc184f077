/** A short name without a run of digits that could be somebody's number. */
const PLAIN_WORD = /^(?!.*\d{5})[A-Za-z_$][\w.$-]{0,63}$/;

/** A name from outside as it may stand in a log; undefined for what could be somebody's words or number. */
export function plainWord(text: string): string | undefined {
  return PLAIN_WORD.test(text) ? text : undefined;
}
