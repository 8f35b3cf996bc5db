import type { PriceBook, ThingMetric } from '../../resources/price-book.ts';
import type { BillLine, LineCost } from '../../resources/usage/line-cost.ts';
import { amountNumber } from '../money/money.ts';
import { type CostLine, sumLinesBy } from './cost-line.ts';

const meteredLines: Readonly<Record<ThingMetric, BillLine>> = {
  root_branch_bytes_month: 'storage',
  child_branch_bytes_month: 'storage',
  instant_restore_bytes_month: 'storage',
  snapshot_storage_bytes_month: 'storage',
  public_network_transfer_bytes: 'transfer',
  private_network_transfer_bytes: 'transfer',
  extra_branches_month: 'branches',
};

/** Adds up what cost lines come to by the line of the bill; absent where the bill is for nothing that is metered. */
export type SumBillLines = (lines: readonly CostLine[]) => readonly LineCost[];

export function billLinesOf({ plans }: PriceBook): SumBillLines | undefined {
  const things = plans.flatMap(({ name: plan, metered = [] }) =>
    metered.map(({ name, metric }) => [`${plan}\n${name}`, meteredLines[metric]] as const),
  );
  if (things.length === 0) return undefined;
  const byThing = new Map(things);
  const lineOf = ({ kind, plan, name }: CostLine): BillLine => {
    if (kind === 'usage') return 'compute';
    return kind === 'metered' ? (byThing.get(`${plan}\n${name}`) ?? 'line') : kind;
  };
  return lines =>
    [...sumLinesBy(lines, lineOf)].map(([line, { amount }]) => ({ line, cost: amountNumber(amount) }));
}
