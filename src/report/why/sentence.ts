import type { BillDifference } from '../../cost/difference/bill-difference.ts';
import { type Cause, rankCauses, sumCauses } from '../../cost/difference/cause.ts';
import { sayDuration } from '../../cost/finding/phrase.ts';
import { type Amount, amountNumber, isNothing, showAmount, subtractAmounts } from '../../cost/money/money.ts';
import { showInstant } from '../format/shown-cell.ts';
import type { ReportRequest } from '../request.ts';
import { describeCause, severalEndpoints } from './cause-text.ts';

interface SentenceContext {
  readonly request: ReportRequest;
  readonly against: NonNullable<ReportRequest['against']>;
  readonly currency: string;
  readonly decimals: number;
}

const mostCauses = 3;
/** A cause that makes less of the largest one is not worth a sentence. */
const leastShare = 0.1;

/** What the difference is and what it comes from, in a few sentences: the largest causes first. */
export function summarizeDifference(difference: BillDifference, context: SentenceContext): string[] {
  const { request, against } = context;
  const ranked = rankCauses(difference.causes);
  const largest = sizeOf(ranked[0]);
  const named = ranked
    .slice(0, mostCauses)
    .filter(cause => sizeOf(cause) > 0 && sizeOf(cause) >= leastShare * largest);
  const showAt = (at: number) => showInstant(at, request.span.timezone);
  const several = severalEndpoints(difference.causes);
  const rest = subtractAmounts(difference.difference, sumCauses(named));
  return [
    sayDifference(difference, context),
    ...named.map(cause => `${sayMoney(cause.amount, context)} ${describeCause(cause, { showAt, several })}.`),
    ...(named.length > 0 && ranked.length > named.length
      ? [`${sayMoney(rest, context)} from all else.`]
      : []),
    ...(against.isCut === true
      ? [
          `Each is compared over ${sayDuration(request.span.untilAt - request.span.fromAt)} from its beginning, as one of them is not over.`,
        ]
      : []),
  ];
}

function sayDifference({ before, after, difference }: BillDifference, context: SentenceContext): string {
  const { currency, decimals, against, request } = context;
  const [old, now] = [before, after].map(amount => separate(showAmount(amount, decimals)));
  return isNothing(difference)
    ? `${now} ${currency} in ${request.span.label}, as much as in ${against.span.label}.`
    : `${sayMoney(difference, context).replace(' ', ` ${currency} `)} in ${request.span.label} than in ${against.span.label}: ${now} instead of ${old}.`;
}

function sayMoney(amount: Amount, { decimals }: SentenceContext): string {
  const shown = showAmount(amount, decimals);
  return `${separate(shown.replace('-', ''))} ${shown.startsWith('-') ? 'less' : 'more'}`;
}

function separate(decimal: string): string {
  return decimal.replace(/\B(?=(?:\d{3})+(?=\.|$))(?<!\.\d*)/g, ',');
}

function sizeOf(cause: Cause | undefined): number {
  return cause === undefined ? 0 : Math.abs(amountNumber(cause.amount));
}
