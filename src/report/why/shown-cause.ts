import { type Cause, sumCauses } from '../../cost/difference/cause.ts';
import { addDecimals, isSome } from '../../cost/money/decimal-sum.ts';
import { amountNumber, amountOfUse, shareOut } from '../../cost/money/money.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { hourDecimals } from '../format/hour-text.ts';
import type { ReportRequest } from '../request.ts';

/** Money and compute hours, as they are shown. */
export interface ShownDifference {
  readonly difference: DecimalText;
  readonly hours: DecimalText;
}

/** A cause with what it comes to as it is shown, which is what its own causes add up to. */
export interface ShownCause extends ShownDifference {
  readonly cause: Cause;
  readonly children: readonly ShownCause[];
}

/** Causes and their own, each level rounded so that it adds up to what is above it. */
export function showCauses(
  causes: readonly Cause[],
  whole: ShownDifference,
  decimals: number,
): readonly ShownCause[] {
  const amounts = shareOut(
    causes.map(({ amount }) => amount),
    decimals,
    whole.difference,
  );
  const hours = shareOut(
    causes.map(({ cuMs = 0 }) => amountOfUse(cuMs)),
    hourDecimals,
    whole.hours,
  );
  return causes.map((cause, index) => {
    const own = { difference: amounts[index] ?? '', hours: hours[index] ?? '' };
    let children: readonly ShownCause[] | undefined;
    return {
      cause,
      ...own,
      get children() {
        children ??= showCauses(cause.children, own, decimals);
        return children;
      },
    };
  });
}

/** How much money a cause makes more or less, to compare causes by. */
export function sizeOf({ cause }: Pick<ShownCause, 'cause'>): number {
  return Math.abs(amountNumber(cause.amount));
}

/** The causes that make most, in the order in which they are. */
export function largestOf(causes: readonly ShownCause[], count: number): readonly ShownCause[] {
  const most = new Set(causes.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, count));
  return causes.filter(each => most.has(each));
}

/** Rows that people read; all others share one. */
const mostShown = 15;
/** A cause that makes less of the largest one is shown without its parts. */
const leastShare = 0.05;

/**
 * The causes to be shown: the smallest are put together where a number of rows is asked for, and for people.
 *
 * @param top how many have a row of their own.
 */
export function gatherSmall(
  causes: readonly ShownCause[],
  { format, top }: Pick<ReportRequest, 'format' | 'top'>,
): { readonly shown: readonly ShownCause[]; readonly leftOut: number } {
  const isForPeople = format === 'table' || format === 'markdown';
  if (!isForPeople && top === undefined) return { shown: causes, leftOut: 0 };
  const seen = causes.filter(isSeen);
  const least = isForPeople ? leastShare * Math.max(0, maxOf(seen.map(sizeOf))) : 0;
  const prune = (shown: ShownCause): ShownCause => ({
    ...shown,
    children: sizeOf(shown) < least ? [] : shown.children.filter(isSeen).map(prune),
  });
  const count = top ?? mostShown;
  if (seen.length <= count + 1) return { shown: seen.map(prune), leftOut: 0 };
  const large = largestOf(seen, count);
  const small = seen.filter(each => !large.includes(each));
  const [days = [], others = []] = [true, false].map(isLast =>
    large.filter(({ cause }) => (cause.kind === 'days') === isLast).map(prune),
  );
  return { shown: [...others, joinSmall(small), ...days], leftOut: small.length };
}

function joinSmall(small: readonly ShownCause[]): ShownCause {
  const cuMs = small.reduce((sum, { cause }) => sum + (cause.cuMs ?? 0), 0);
  const amount = sumCauses(small.map(({ cause }) => cause));
  return {
    cause: { kind: 'others', count: small.length, amount, cuMs, children: [] },
    difference: addDecimals(small.map(({ difference }) => difference)) ?? '',
    hours: addDecimals(small.map(({ hours }) => hours)) ?? '',
    children: [],
  };
}

/** Whether money or hours are more than a rounded nothing. */
function isSeen({ difference, hours }: ShownCause): boolean {
  return [difference, hours].some(isSome);
}
