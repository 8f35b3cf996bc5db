import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type OnUsedUp, type PricedUse, sharePool } from './included-usage.ts';
import type { PriceTier } from './price-lookup.ts';

/** How much of a project, by its number, is billed in a billing period before each higher tier begins. */
export type TierStarts = (project_ref: number) => readonly number[];

/**
 * Shares the tiers of a price out to projects as the included hours of an account are, one after another: each takes its
 * hours from the billed use that the tiers before it left.
 */
export function shareTiers(
  [, ...higher]: readonly PriceTier[],
  projects: readonly UsageProject[],
  period: Period,
  billedUse: PricedUse,
  onUsedUp: OnUsedUp,
): TierStarts {
  const starts: ReadonlyMap<number, number>[] = [];
  let taken: ReadonlyMap<number, number> = new Map();
  let before = 0;
  for (const { beyondCuMs } of higher) {
    const earlier = taken;
    const left: PricedUse = (project_ref, at) =>
      Math.max(0, billedUse(project_ref, at) - (earlier.get(project_ref) ?? 0));
    const shares = sharePool(beyondCuMs - before, projects, period, left, onUsedUp);
    if (shares === undefined) break;
    taken = new Map([...shares].map(([ref, share]) => [ref, (earlier.get(ref) ?? 0) + share]));
    starts.push(taken);
    before = beyondCuMs;
  }
  return project_ref => higher.map((_, index) => starts[index]?.get(project_ref) ?? Number.POSITIVE_INFINITY);
}
