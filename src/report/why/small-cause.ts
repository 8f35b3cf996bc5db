import { type Cause, sumCauses } from '../../cost/difference/cause.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { largest } from '../../resources/extreme.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import type { ReportFormat } from '../kind.ts';

/** People read so many rows, and one for all others. */
const mostShown = 15;
/** A cause that makes less of the largest one is shown without its parts. */
const leastShare = 0.05;
/** What rounds to nothing. */
const leastMoney = 0.005;
const leastCuMs = computeHourMs / 200;

/** The causes to be shown in a format: for people the smallest are put together. @param causes the largest first. */
export function gatherSmall(
  causes: readonly Cause[],
  format: ReportFormat,
): { readonly shown: readonly Cause[]; readonly leftOut: number } {
  if (format !== 'table' && format !== 'markdown') return { shown: causes, leftOut: 0 };
  const seen = causes.filter(isSeen);
  const least = leastShare * Math.max(0, largest(seen.map(sizeOf)));
  const prune = (cause: Cause): Cause =>
    sizeOf(cause) < least
      ? { ...cause, children: [] }
      : { ...cause, children: cause.children.filter(isSeen).map(prune) };
  if (seen.length <= mostShown + 1) return { shown: seen.map(prune), leftOut: 0 };
  const small = seen.slice(mostShown);
  const cuMs = small.reduce((sum, each) => sum + (each.cuMs ?? 0), 0);
  const others: Cause = {
    kind: 'charge',
    name: `${small.length} smaller causes`,
    amount: sumCauses(small),
    cuMs,
    children: [],
  };
  return { shown: [...seen.slice(0, mostShown).map(prune), others], leftOut: small.length };
}

/** Whether money or hours are more than a rounded nothing. */
function isSeen({ amount, cuMs = 0 }: Cause): boolean {
  return sizeOf({ amount }) >= leastMoney || Math.abs(cuMs) >= leastCuMs;
}

function sizeOf({ amount }: Pick<Cause, 'amount'>): number {
  return Math.abs(amountNumber(amount));
}
