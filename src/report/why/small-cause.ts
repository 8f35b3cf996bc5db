import { addDecimals, isSome } from '../../cost/money/decimal-sum.ts';
import { largest } from '../../resources/extreme.ts';
import type { ReportFormat } from '../kind.ts';
import { largestOf, type ShownCause, sizeOf, sumShown } from './shown-cause.ts';

/** People read so many rows, and one for all others. */
const mostShown = 15;
/** A cause that makes less of the largest one is shown without its parts. */
const leastShare = 0.05;

/** The causes to be shown in a format: for people the smallest are put together. */
export function gatherSmall(
  causes: readonly ShownCause[],
  format: ReportFormat,
): { readonly shown: readonly ShownCause[]; readonly leftOut: number } {
  if (format !== 'table' && format !== 'markdown') return { shown: causes, leftOut: 0 };
  const seen = causes.filter(isSeen);
  const least = leastShare * Math.max(0, largest(seen.map(sizeOf)));
  const prune = (shown: ShownCause): ShownCause => ({
    ...shown,
    children: sizeOf(shown) < least ? [] : shown.children.filter(isSeen).map(prune),
  });
  if (seen.length <= mostShown + 1) return { shown: seen.map(prune), leftOut: 0 };
  const large = largestOf(seen, mostShown);
  const small = seen.filter(each => !large.includes(each));
  const [days = [], others = []] = [true, false].map(isLast =>
    large.filter(({ cause }) => (cause.kind === 'days') === isLast).map(prune),
  );
  return { shown: [...others, joinSmall(small), ...days], leftOut: small.length };
}

function joinSmall(small: readonly ShownCause[]): ShownCause {
  const cuMs = small.reduce((sum, { cause }) => sum + (cause.cuMs ?? 0), 0);
  const name = `${small.length} smaller causes`;
  return {
    cause: { kind: 'charge', name, amount: sumShown(small), cuMs, children: [] },
    difference: addDecimals(small.map(({ difference }) => difference)) ?? '',
    hours: addDecimals(small.map(({ hours }) => hours)) ?? '',
    children: [],
  };
}

/** Whether money or hours are more than a rounded nothing. */
function isSeen({ difference, hours }: ShownCause): boolean {
  return [difference, hours].some(isSome);
}
