/**
 * The median; the lower one of the two in the middle of an even number of values, so that it is one of them. 0 of none.
 */
export function lowerMedianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** The value that a part of the others, 0 to 1, lies below; always one of the values. 0 if there is none. */
export function quantileOf(values: readonly number[], part: number): number {
  const ordered = [...values].sort((left, right) => left - right);
  return ordered[Math.floor(part * (ordered.length - 1))] ?? 0;
}
