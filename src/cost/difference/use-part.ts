import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Amount } from '../money/money.ts';
import { type MeanPrice, splitAtPrice } from '../money/ratio.ts';
import type { Cause } from './cause.ts';

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
