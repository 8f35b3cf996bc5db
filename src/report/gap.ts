import { type Amount, amountOfUse, compareAmounts, timesRate } from '../cost/money/money.ts';
import { type Costing, createCosting } from '../cost/rating/costing.ts';
import type { UsageGap } from '../history/usage/gap-query.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import { isInReport } from './chosen-project.ts';
import type { PricedSubject } from './content.ts';
import { countedLedger, isMetered } from './counted-ledger.ts';

/** A gap in the use of a project, as far as it lies in the period of a report. */
export interface ProjectGap extends UsageGap {
  readonly project: UsageProject;
  /** Money for `mostCuMs` in the display currency, at the highest price of that time; absent where there is none. */
  readonly mostMoney?: Amount;
}

/**
 * The gaps of all projects of a report, the largest first. Time before an account is known is no gap, nor is
 * time that the meter tells of.
 */
export function findGaps({ history, request, groups }: PricedSubject): readonly ProjectGap[] {
  const { pricing } = request.config;
  const moneyOf =
    ['cost', 'forecast', 'why'].includes(request.kind) && pricing !== undefined
      ? moneyAtMost(createCosting({ book: pricing, ledger: history.usage, groupsOf: groups.groupsOf }))
      : () => undefined;
  const ledger = countedLedger(request);
  return history.usage.projects
    .filter(project => isInReport(request, project))
    .flatMap(project => {
      const knownFromAt = history.usage.knownFrom(project.account) ?? Number.POSITIVE_INFINITY;
      const fromAt = Math.max(request.span.fromAt, knownFromAt);
      const gaps = history.gaps.read(project, { fromAt, untilAt: request.span.untilAt });
      const unknown = gaps.filter(gap => !isMetered(history, ledger, project.account, gap));
      return unknown.map(gap => {
        const mostMoney = moneyOf(project, gap);
        return { ...gap, project, ...(mostMoney && { mostMoney }) };
      });
    })
    .sort((a, b) => mostOf(b) - mostOf(a) || a.fromAt - b.fromAt);
}

/** A gap without a bound may be the largest. */
function mostOf({ mostCuMs = Number.MAX_VALUE }: UsageGap): number {
  return mostCuMs;
}

/** Without regard to included hours: which of them are left depends on what is not known. */
function moneyAtMost(costing: Costing) {
  return (project: UsageProject, gap: UsageGap): Amount | undefined => {
    const { mostCuMs } = gap;
    if (mostCuMs === undefined) return undefined;
    const amounts = costing
      .segmentsOf(project, gap)
      .flatMap(({ tiers, rate }) =>
        tiers.length === 0 || rate === undefined
          ? [undefined]
          : tiers.map(({ price }) => timesRate(amountOfUse(mostCuMs, price.discounted), rate)),
      );
    // Time without a price or an exchange rate may have been the dearest.
    return amounts.reduce(
      (most, amount) => most && amount && (compareAmounts(most, amount) > 0 ? most : amount),
    );
  };
}
