import type { DatedSize } from '../../resources/endpoint-past.ts';
import type { Period } from '../calendar/calendar.ts';

/** Limits of a size that became others. */
export interface SizeChange {
  readonly from: DatedSize;
  readonly to: DatedSize;
}

/** Whether the size is another one at the end of a stretch than at its beginning, or was in between. */
export function findSizeChange(
  sizes: readonly DatedSize[],
  { fromAt, untilAt }: Period,
): SizeChange | undefined {
  const atStart = sizes.findLastIndex(size => size.fromAt <= fromAt);
  const [from, ...later] = sizes.slice(Math.max(0, atStart)).filter(size => size.fromAt < untilAt);
  const to = later.at(-1);
  const [changedTo = to] = later;
  if (from === undefined || to === undefined || changedTo === undefined) return undefined;
  return isSameSize(from, to) ? { from, to: changedTo } : { from, to };
}

/** Such as `2 CU`, or `1 to 4 CU` where it scales. */
export function saySize({ minCu, maxCu }: DatedSize): string {
  return minCu === maxCu ? `${minCu} CU` : `${minCu} to ${maxCu} CU`;
}

function isSameSize(one: DatedSize, other: DatedSize): boolean {
  return one.minCu === other.minCu && one.maxCu === other.maxCu;
}
