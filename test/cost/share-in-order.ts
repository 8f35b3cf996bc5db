import type { Period } from '../../src/cost/calendar/calendar.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';

const hourMs = 3_600_000;

/**
 * How much each project has used when limits of all together are reached, one after another, walking through the hours
 * of a period. Lists of limits that are never reached are left out.
 */
export function shareInOrder(
  limits: readonly number[],
  projects: readonly UsageProject[],
  period: Period,
  used: (project: UsageProject, at: number) => number,
): number[][] {
  const reached: number[][] = [];
  for (const [index, limit] of limits.entries()) {
    const taken = reached.at(-1) ?? projects.map(() => 0);
    const size = limit - (limits[index - 1] ?? 0);
    const left = (at: number) =>
      projects.map((project, number) => Math.max(0, used(project, at) - (taken[number] ?? 0)));
    if (sum(left(period.untilAt)) <= size) break;
    let from = period.fromAt;
    const last = period.fromAt + (Math.ceil((period.untilAt - period.fromAt) / hourMs) - 1) * hourMs;
    while (from < last && sum(left(from + hourMs)) <= size) from += hourMs;
    const [before, after] = [left(from), left(from === last ? period.untilAt : from + hourMs)];
    const use = after.map((end, number) => BigInt(end - (before[number] ?? 0)));
    const rest = BigInt(size - sum(before));
    const all = use.reduce((total, each) => total + each, 0n);
    const shares = use.map(each => (each * rest) / all);
    const lost = use.map((each, number) => ({ number, part: (each * rest) % all }));
    const missing = rest - shares.reduce((total, each) => total + each, 0n);
    const order = lost.sort((a, b) => (a.part === b.part ? a.number - b.number : a.part < b.part ? 1 : -1));
    for (const { number } of order.slice(0, Number(missing))) shares[number] = (shares[number] ?? 0n) + 1n;
    reached.push(taken.map((each, number) => each + (before[number] ?? 0) + Number(shares[number])));
  }
  return reached;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
