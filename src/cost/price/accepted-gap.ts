import type { AcceptedGap, PriceBook } from '../../resources/price-book.ts';
import { matchesProject } from '../../resources/project-match.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { cutAt, timeOf } from './dated.ts';
import type { GroupsOf } from './plan-assignment.ts';

/** Use without a price, of a stretch in which no accepted gap begins or ends. */
interface UnpricedUse extends Period {
  readonly project: UsageProject;
  /** Absent where no plan is for the project. */
  readonly plan?: string | undefined;
}

/** The accepted gap that unpriced use lies in: the first that is for it. */
export function findAcceptedGap(
  { acceptedGaps = [] }: PriceBook,
  { project, plan, fromAt, untilAt }: UnpricedUse,
  groupsOf: GroupsOf,
): AcceptedGap | undefined {
  return acceptedGaps.find(
    ({ match, plans, ...gap }) =>
      timeOf(gap).fromAt <= fromAt &&
      untilAt <= timeOf(gap).untilAt &&
      (plans === undefined || (plan !== undefined && plans.includes(plan))) &&
      matchesProject(match, project, () => groupsOf(project)),
  );
}

/** A period cut where accepted gaps begin and end. */
export function cutAtGaps({ acceptedGaps = [] }: PriceBook, period: Period): Period[] {
  return cutAt(
    period,
    acceptedGaps.map(timeOf).flatMap(({ fromAt, untilAt }) => [fromAt, untilAt]),
  );
}
