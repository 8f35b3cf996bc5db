import type { PriceBook } from '../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../resources/usage-ledger.ts';
import { billingCalendar } from './billing-calendar.ts';
import { type Period, periodsBetween } from './calendar.ts';
import { type Contract, drawUpContracts, type GroupsOf } from './contract.ts';
import type { CostLine } from './cost-line.ts';
import { minimumLines } from './minimum-charge.ts';
import type { Amount } from './money.ts';
import { hourPrice } from './price-segment.ts';
import { settleTerms, type Terms, type UsageReading } from './terms.ts';
import { clip, periodLines, unpricedLines } from './usage-line.ts';

/**
 * What use costs under a price book. A project's cost between two instants is the difference of two running totals, so
 * that it adds up whatever it is cut into. What billing periods come to is remembered: make a new one when the ledger has
 * grown.
 */
export interface Costing {
  /** What it is worked out by: which projects share a plan. */
  readonly contracts: readonly Contract[];
  /** What projects used, by project and in order of time. */
  usageLines(stretch: Period, isMeant?: (project: UsageProject) => boolean): CostLine[];
  /**
   * Up to the minimum, of the billing periods that end after the stretch begins and not after it does. It must not end
   * after now: what is still to be used in a period would be charged as never used.
   */
  minimumLines(stretch: Period): CostLine[];
  /**
   * What one more compute hour of a project costs in the display currency, once its included hours are used up;
   * undefined while it is unpriced or has no exchange rate.
   */
  marginalPrice(project: UsageProject, at: number): Amount | undefined;
}

export interface CostBasis {
  readonly book: PriceBook;
  readonly ledger: UsageLedger;
  readonly groupsOf?: GroupsOf;
}

export function createCosting({ book, ledger, groupsOf = () => [] }: CostBasis): Costing {
  const calendar = billingCalendar(book.billingPeriod);
  const contracts = drawUpContracts(book, ledger.projects, groupsOf);
  const contractOf = new Map(
    contracts.flatMap(contract => contract.projects.map(({ project_ref }) => [project_ref, contract])),
  );
  const usedUntil: UsageReading = (project_ref, at) => ledger.usedUntil(project_ref, at);
  const termsOf = rememberTerms((contract, period) => settleTerms(book, contract, period, usedUntil));

  const linesOf = (project: UsageProject, period: Period, stretch: Period): CostLine[] => {
    const contract = contractOf.get(project.project_ref);
    const part = clip(period, stretch);
    return contract === undefined
      ? unpricedLines(project, part, usedUntil)
      : periodLines(project, contract, termsOf(contract, period), part, usedUntil);
  };

  return {
    contracts,
    usageLines: (stretch, isMeant = () => true) => {
      const periods = periodsBetween(calendar, stretch);
      return ledger.projects
        .filter(isMeant)
        .flatMap(project => periods.flatMap(period => linesOf(project, period, stretch)));
    },
    minimumLines: stretch => {
      const ended = periodsBetween(calendar, stretch).filter(({ untilAt }) => untilAt <= stretch.untilAt);
      return contracts.flatMap(contract =>
        ended.flatMap(period => {
          const useLines = () => contract.projects.flatMap(project => linesOf(project, period, period));
          return minimumLines({ book, ledger, contract, period, useLines });
        }),
      );
    },
    marginalPrice: ({ project_ref }, at) => {
      const contract = contractOf.get(project_ref);
      return contract === undefined ? undefined : hourPrice(book, contract.plan, at);
    },
  };
}

type Settle = (contract: Contract, period: Period) => Terms;

function rememberTerms(settle: Settle): Settle {
  const known = new Map<Contract, Map<number, Terms>>();
  return (contract, period) => {
    const settled = known.get(contract) ?? new Map<number, Terms>();
    known.set(contract, settled);
    const terms = settled.get(period.fromAt) ?? settle(contract, period);
    settled.set(period.fromAt, terms);
    return terms;
  };
}
