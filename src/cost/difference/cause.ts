import type { UsageProject } from '../../resources/usage/ledger.ts';
import { type Amount, compareAmounts, sumAmounts } from '../money/money.ts';
import { type MeanPrice, splitAtPrice } from '../money/ratio.ts';

/** Why two bills differ: the words are values of reports. */
const causeKinds = [
  // of the price book
  'price',
  'exchange_rate',
  'included_usage',
  'charge',
  // of the time
  'days',
  // of projects
  'new_project',
  'gone_project',
  'project',
  'lifetime',
  'new_endpoint',
  'gone_endpoint',
  'suspend_delay',
  'awake',
  'wakes',
  'wake_length',
  'resize',
  'load',
  'use',
  // several in one row
  'others',
] as const;

export type CauseKind = (typeof causeKinds)[number];

/**
 * One cause of the difference of two bills, with its parts: their amounts add up to its own, exactly. Those of a project are
 * worked out when they are asked for.
 */
export interface Cause {
  readonly kind: CauseKind;
  readonly account?: string;
  readonly project?: UsageProject;
  readonly endpoint_id?: string;
  /** The plans, the currency or the charge that it is about. */
  readonly name?: string;
  /** How many smaller ones it stands for; absent where it is one. */
  readonly count?: number;
  /** More money in the display currency than before, or less. */
  readonly amount: Amount;
  /** Whether it is of use that has no price, so that the amount is not known rather than nothing. */
  readonly isUnpriced?: boolean;
  /** More CU-milliseconds than before, or fewer; absent where it is not about use. */
  readonly cuMs?: number;
  /** More milliseconds awake than before, or fewer; absent where it is not about that. */
  readonly awakeMs?: number;
  /** When it began, and when it ended, as far as that can be seen; epoch milliseconds. */
  readonly sinceAt?: number;
  readonly endedAt?: number;
  /** What shows it, with numbers, without instants: words that could go on a sentence. */
  readonly evidence?: string;
  readonly children: readonly Cause[];
}

/** A cause of more or less use, before it has a price. Its children's CU-milliseconds add up to its own. */
export interface UsePart
  extends Pick<Cause, 'kind' | 'endpoint_id' | 'awakeMs' | 'sinceAt' | 'endedAt' | 'evidence'> {
  /** Whole CU-milliseconds more than before, or fewer. */
  readonly cuMs: number;
  readonly children: readonly UsePart[];
}

/** Causes that come to a total, each of its parts at a mean price. */
export function priceParts(
  parts: readonly UsePart[],
  total: Amount,
  { project, meanPrice }: { readonly project: UsageProject; readonly meanPrice: MeanPrice },
): Cause[] {
  const amounts = splitAtPrice(
    total,
    meanPrice,
    parts.map(({ cuMs }) => cuMs),
  );
  return parts.flatMap((part, index) => {
    const amount = amounts[index];
    if (amount === undefined) return [];
    const children = priceParts(part.children, amount, { project, meanPrice });
    return [{ ...part, account: project.account, project, amount, children }];
  });
}

/** Sorts causes by the size of their amounts, then of their use, the largest first; the lengths of the periods come last. */
export function sortCauses(causes: readonly Cause[]): Cause[] {
  return causes
    .map(cause => ({ cause, size: sizeOf(cause) }))
    .sort(
      (a, b) =>
        Number(a.cause.kind === 'days') - Number(b.cause.kind === 'days') ||
        compareAmounts(b.size, a.size) ||
        Math.abs(b.cause.cuMs ?? 0) - Math.abs(a.cause.cuMs ?? 0) ||
        causeKinds.indexOf(a.cause.kind) - causeKinds.indexOf(b.cause.kind),
    )
    .map(({ cause }) => cause);
}

/** What causes come to. */
export function sumCauses(causes: readonly Cause[]): Amount {
  return sumAmounts(causes.map(({ amount }) => amount));
}

function sizeOf({ amount }: Cause): Amount {
  return { ...amount, numerator: amount.numerator.abs() };
}
