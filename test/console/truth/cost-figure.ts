import { expect } from 'vitest';
import { cents, expectNear, hoursOf } from './near.ts';
import { type Grouping, groupOf, type Stage, type WrittenReport } from './stage.ts';
import { isBillKnown, type TrueBill, trueBills } from './true-bill.ts';
import type { Stretch, TrueProject } from './true-fleet.ts';

export const costAxes = ['group', 'project', 'region', 'account', 'line'] as const;

/** Columns that tell the rows of a report of costs apart, by its axis. */
const scopeKeys = {
  group: ['group'],
  project: ['account', 'project_id'],
  region: ['region_id'],
  account: ['account'],
  line: ['account', 'line', 'plan', 'price'],
};

/** What the page of costs is asked for. */
interface CostQuestion {
  readonly period: string;
  readonly by: (typeof costAxes)[number];
  readonly grouping: Grouping;
  readonly account: string;
  readonly step: 'day' | 'week' | 'month';
}

interface Series {
  readonly name: string;
  readonly kind: 'scope' | 'charge' | 'others';
  readonly account: string | null;
  readonly project_id: string | null;
  readonly cost: string | null;
  readonly used_hours: string | null;
  readonly cost_by_step: readonly (string | null)[];
  readonly hours_by_step: readonly (string | null)[];
  readonly before: Amounts | null;
}
interface Amounts {
  readonly cost: string | null;
  readonly used_hours: string | null;
}
interface Step {
  readonly label: string;
  readonly from: string;
  readonly until: string;
  readonly cost: string | null;
}

/** That the page of costs has the figures of the report, and those of the oracle. */
export async function checkCost(python3: string, stage: Stage, asked: CostQuestion): Promise<void> {
  const { period, by, grouping, account, step } = asked;
  const address = new URLSearchParams({
    ...{ period, by, account, step },
    ...(by === 'group' && { grouping }),
  });
  const { cost } = await stage.json(`/cost?${address}`);
  const words = [
    `cost --period ${period} --by ${by} --step ${step}`,
    ...(by === 'group' ? [`--grouping ${grouping}`] : []),
    ...(account === '' ? [] : [`--account ${account}`]),
    ...(by === 'line' ? [] : ['--top 20']),
  ].join(' ');
  compareWithReport(cost, await stage.report(words), by);
  const axisWords = words
    .replace(`--period ${period}`, `--period before:${period}`)
    .replace(` --step ${step}`, '');
  compareBefore(cost, await stage.report(axisWords), by);
  const stretches = [cost.period, ...cost.steps].map(readStretch);
  const [whole] = stretches;
  if (whole === undefined) throw new Error('the page has no period');
  compareUse(stage, cost, whole, asked);
  const isBilling = period.endsWith('billing');
  if (!isBillKnown(stage, whole, isBilling)) return;
  const [bill, ...bills] = trueBills(python3, stage, stage.isByHour ? stretches : [whole]);
  if (bill === undefined) throw new Error('the oracle made no bill');
  compareBill(stage, cost, bill, asked);
  for (const [index, each] of bills.entries()) {
    const shown = cost.steps[index]?.cost ?? null;
    const isMeant = (_: unknown, of: string) => account === '' || account === of;
    expectNear(
      shown,
      each.costOf(isMeant),
      2 * cost.series.length + 1,
      `cost of ${cost.steps[index]?.label}`,
    );
  }
}

function compareWithReport(
  cost: { cost: string | null; used_hours: string | null; steps: readonly Step[]; series: readonly Series[] },
  { rows, totals }: WrittenReport,
  by: CostQuestion['by'],
): void {
  expect([cost.cost, cost.used_hours]).toEqual([totals?.cost ?? null, totals?.used_hours ?? null]);
  const costOf = (members: WrittenReport['rows']) => cents(...members.map(row => String(row.cost ?? 0)));
  for (const step of cost.steps)
    expect(cents(step.cost), step.label).toBe(costOf(rows.filter(row => row.step === step.label)));
  const byScope = Map.groupBy(rows, row => scopeKeys[by].map(key => row[key]).join());
  const sorted = (amounts: readonly number[]) => amounts.toSorted((a, b) => a - b);
  expect(sorted(cost.series.map(each => cents(each.cost)))).toEqual(
    sorted([...byScope.values()].map(costOf)),
  );
  for (const each of cost.series) {
    expect(cents(...each.cost_by_step), each.name).toBe(cents(each.cost));
    expect(cents(...each.hours_by_step), each.name).toBe(cents(each.used_hours));
  }
}

/** The same part of the period before, and how each series moved since. */
function compareBefore(
  { before, series }: { readonly before: Amounts | null; readonly series: readonly Series[] },
  { rows, totals }: WrittenReport,
  by: CostQuestion['by'],
): void {
  if (before !== null)
    expect([before.cost, before.used_hours]).toEqual([totals?.cost ?? null, totals?.used_hours ?? null]);
  const costOf = (members: WrittenReport['rows']) => cents(...members.map(row => String(row.cost ?? 0)));
  const known = new Map<string, number>();
  for (const [key, members] of Map.groupBy(rows, row => String(row[scopeKeys[by][0] ?? ''] ?? '')))
    known.set(key, costOf(members));
  if (by === 'group' || by === 'region')
    for (const each of series) expect(cents(each.before?.cost), each.name).toBe(known.get(each.name) ?? 0);
}

function compareUse(
  { fleet }: Stage,
  cost: { used_hours: string | null; series: readonly Series[]; steps: readonly Step[] },
  stretch: Stretch,
  { by, account, grouping }: CostQuestion,
): void {
  if (by === 'line') return;
  const there = fleet.projects.filter(each => account === '' || each.account === account);
  const used = (members: readonly TrueProject[]) => {
    const ids = new Set(members.map(({ id }) => id));
    return hoursOf(fleet.usedIn(stretch, id => ids.has(id)));
  };
  expectNear(cost.used_hours, used(there), 1, 'used hours');
  for (const series of cost.series.filter(({ kind }) => kind === 'scope')) {
    const members = there.filter(project => isOf(series, project, by, grouping));
    expectNear(series.used_hours, used(members), 2 * cost.steps.length, `used hours of ${series.name}`);
  }
}

function compareBill(
  { fleet }: Stage,
  cost: { cost: string | null; series: readonly Series[]; steps: readonly Step[] },
  bill: TrueBill,
  { by, account, grouping }: CostQuestion,
): void {
  const isAsked = (of: string) => account === '' || account === of;
  expectNear(
    cost.cost,
    bill.costOf((_, of) => isAsked(of)),
    1,
    'cost',
  );
  if (by === 'line') return;
  for (const series of cost.series.filter(({ kind }) => kind === 'scope')) {
    const members = new Set(
      fleet.projects
        .filter(project => isAsked(project.account) && isOf(series, project, by, grouping))
        .map(({ id }) => id),
    );
    const isMeant = ({ project }: { readonly project?: string }, of: string) =>
      by === 'account' ? of === series.name : project !== undefined && members.has(project);
    expectNear(series.cost, bill.costOf(isMeant), 2 * cost.steps.length, `cost of ${series.name}`);
  }
}

function isOf(
  { name, account, project_id }: Series,
  project: TrueProject,
  by: CostQuestion['by'],
  grouping: Grouping,
): boolean {
  switch (by) {
    case 'group':
      return name === groupOf(grouping, project);
    case 'project':
      return account === project.account && project_id === project.id;
    case 'region':
      return name === project.region;
    default:
      return name === project.account;
  }
}

export function readStretch({ from, until }: { readonly from: string; readonly until: string }): Stretch {
  return { fromAt: Date.parse(from), untilAt: Date.parse(until) };
}

/** That an invoice has the lines of the report, and comes to what the oracle's bills do. */
export async function checkInvoice(python3: string, stage: Stage, period: string): Promise<void> {
  const { invoice } = await stage.json(`/cost/invoice?period=${period}`);
  const { rows, totals } = await stage.report(`cost --by line --period ${period}`);
  const lines: readonly { readonly account: string; readonly cost: string | null }[] = invoice.lines;
  expect(lines.map(({ account, cost }) => [account, cost])).toEqual(
    rows.map(({ account, cost }) => [account, cost]),
  );
  expect(invoice.total).toBe(totals?.cost ?? null);
  const stretch = readStretch(invoice.period);
  if (!isBillKnown(stage, stretch, period.endsWith('billing'))) return;
  const [bill] = trueBills(python3, stage, [stretch]);
  if (bill === undefined) throw new Error('the oracle made no bill');
  expectNear(
    invoice.total,
    bill.costOf(() => true),
    1,
    'total of the invoice',
  );
  for (const account of ['main', 'side']) {
    const own = lines.filter(line => line.account === account);
    const sum = (cents(...own.map(({ cost }) => cost)) / 100).toFixed(2);
    expectNear(
      sum,
      bill.costOf((_, of) => of === account),
      2 * own.length,
      `invoice of ${account}`,
    );
  }
}
