import { findBranch, type SimulatedAccount } from '../account.ts';
import { deleteEndpoint } from '../endpoint-life.ts';
import { addAmount, hourOf, sumOver } from '../meter/hour-series.ts';
import { type Addition, additions } from '../meter/project-meter.ts';
import { largestStoredBytes } from '../meter/storage.ts';
import { liveEndpoints, type SimulatedProject } from '../project.ts';
import { Refusal } from '../refusal.ts';
import type { LaterPlan } from './later-account.ts';
import { requireLater, requireTerms } from './metering.ts';

/** Changes the plan: what the plan allows at once, what is billed from the next full hour on. */
export function changePlan(account: SimulatedAccount, plan: LaterPlan): void {
  const { plans } = requireTerms(account);
  const fromHour = hourOf(account.timeline.now) + 1;
  if (plans.at(-1)?.fromHour === fromHour) plans.pop();
  plans.push({ plan, fromHour });
  account.plan = plan === 'free' ? 'free' : 'paid';
}

/** Deletes a child branch with its endpoint. Throws a `Refusal`: 404 if there is none, 400 for the root. */
export function deleteBranch(project: SimulatedProject, id: string): void {
  const branch = findBranch(project, id);
  if (branch === project.branches[0]) throw new Refusal(400, `${id} is the root branch, which stays`);
  for (const endpoint of liveEndpoints(project)) if (endpoint.branch === branch) deleteEndpoint(endpoint);
  project.branches.splice(project.branches.indexOf(branch), 1);
  const meter = requireLater(project).meter.branches.get(id);
  if (meter !== undefined) meter.deletedAt = project.timeline.now;
}

/** Adds to what is used in the present hour, or to what is stored from the next one on. Throws a 400 `Refusal`. */
export function addConsumption(
  { timeline }: SimulatedAccount,
  project: SimulatedProject,
  amounts: Readonly<Partial<Record<Addition, number>>>,
): void {
  const { added } = requireLater(project).meter;
  const hour = hourOf(timeline.now);
  for (const addition of additions) {
    const amount = amounts[addition] ?? 0;
    const total = sumOver(added[addition], added[addition].firstHour, hour + 1) + amount;
    if (Math.abs(total) > largestStoredBytes / 2) {
      throw new Refusal(400, `${addition}: no more than ${largestStoredBytes / 2} bytes can be added in all`);
    }
  }
  for (const addition of additions) addAmount(added[addition], hour, amounts[addition] ?? 0);
}
