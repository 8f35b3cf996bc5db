import { shareCharges } from '../../cost/rating/charge-share.ts';
import type { CostLine } from '../../cost/rating/cost-line.ts';
import type { Costing } from '../../cost/rating/costing.ts';
import { largest, smallest } from '../../resources/extreme.ts';

/** Charges cut into the parts of projects, by the use of the whole billing periods that they are for. */
export function shareAmongProjects(costing: Costing, charges: readonly CostLine[]): CostLine[] {
  if (charges.length === 0) return [];
  const fromAt = smallest(charges.map(line => line.fromAt));
  const untilAt = largest(charges.map(line => line.untilAt));
  const accounts = new Set(charges.map(({ account }) => account));
  const used = costing.usageLines({ fromAt, untilAt }, ({ account }) => accounts.has(account));
  return shareCharges(charges, used, costing.membersOf);
}
