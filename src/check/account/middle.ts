/** The middle one of some numbers, the lower of two; undefined where there are none. */
export function middleOf(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length / 2) - 1];
}
