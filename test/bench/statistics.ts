/** The median of at least one number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 1 ? middle : middle - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('a median needs at least one value');
  return (lower + upper) / 2;
}

/** A figure over several rounds. */
export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The figure of the ratios of two agents measured in the same rounds: round by round, not of their medians. */
export function pairedRatio(over: readonly number[], under: readonly number[]): Figure {
  if (over.length !== under.length) throw new RangeError('paired rounds have equal counts');
  return figureOf(over.map((value, round) => value / (under[round] ?? Number.NaN)));
}
