import { expect } from 'vitest';
import { Fraction } from '../../cost/fraction.ts';
import { readStretch } from './cost-figure.ts';
import { cents, expectNear, hoursOf } from './near.ts';
import { groupOf, type Stage, type WrittenReport } from './stage.ts';
import { trueBills } from './true-bill.ts';
import { hourMs, type Stretch, type TrueProject, watchedFromAt } from './true-fleet.ts';

/** The figure that a list is in the order of. */
const sortedFigure = {
  cost: 'cost',
  hours: 'compute_hours',
  starts: 'starts',
  failures: 'failures',
} as const;

/** What the list of projects is asked for; an empty text is for all. */
interface FleetQuestion {
  readonly account: string;
  /** As `team/web`. */
  readonly group: string;
  readonly region: string;
  readonly q: string;
  readonly gone: 'without' | 'all' | 'only';
  readonly finding: 'all' | 'with' | 'without';
  readonly sort: keyof typeof sortedFigure;
  readonly order: 'asc' | 'desc';
}

interface ShownProject {
  readonly account: string;
  readonly project_id: string;
  readonly compute_hours: string | null;
  readonly cost: string | null;
  readonly cost_forecast: string | null;
  readonly starts: number | null;
  readonly failures: number | null;
  readonly findings: number | null;
}

/** That the list has the projects that are asked for, with the figures of reports, the simulator and the oracle. */
export async function checkProjects(python3: string, stage: Stage, asked: FleetQuestion): Promise<void> {
  const { fleet } = stage;
  const answer = await stage.json(`/projects?limit=500&${new URLSearchParams({ ...asked })}`);
  const shown: readonly ShownProject[] = answer.projects;
  const expected = fleet.projects.filter(project => isAsked(project, asked)).map(({ id }) => id);
  const found = await stage.report('findings');
  const hasFinding = new Set(found.rows.map(({ project_id }) => project_id));
  expect(shown.map(({ project_id }) => project_id).sort()).toEqual(
    expected
      .filter(id => asked.finding === 'all' || hasFinding.has(id) === (asked.finding === 'with'))
      .sort(),
  );
  const reports = {
    usage: await stage.report('usage --by project --period billing'),
    cost: await stage.report('cost --by project --period billing'),
    forecast: await stage.report('forecast --by project'),
    operations: await stage.report('operations --by project --period billing'),
  };
  const stretch = readStretch(answer.period);
  const [bill] = trueBills(python3, stage, [stretch]);
  for (const each of shown) {
    const [use] = rowsOf(reports.usage, each);
    const [cost] = rowsOf(reports.cost, each);
    const [forecast] = rowsOf(reports.forecast, each);
    const failed = rowsOf(reports.operations, each).reduce((sum, row) => sum + Number(row.failed), 0);
    expect(each).toMatchObject({
      compute_hours: use?.compute_hours ?? '0.00',
      cost: cost === undefined ? '0.00' : cost.cost,
      starts: use?.starts ?? 0,
      failures: failed,
      findings: rowsOf(found, each).length,
    });
    // Without a price nothing is expected.
    const expectedCost = each.cost === null ? null : (forecast?.expected_cost ?? '0.00');
    expect(each.cost_forecast, each.project_id).toBe(expectedCost);
    const isOwn = (id: string) => id === each.project_id;
    expectNear(each.compute_hours, hoursOf(fleet.usedIn(stretch, isOwn)), 2, `hours of ${each.project_id}`);
    const own = bill?.costOf(({ project = '' }) => isOwn(project)) ?? Fraction.zero;
    expectNear(each.cost, own, 2, `cost of ${each.project_id}`);
    expect([each.starts, each.failures], each.project_id).toEqual([
      countStarts(stage, isOwn, stretch),
      countFailed(stage, isOwn, stretch),
    ]);
  }
  const figures = shown.flatMap(each => each[sortedFigure[asked.sort]] ?? []).map(Number);
  expect(figures).toEqual(figures.toSorted((a, b) => (asked.order === 'asc' ? a - b : b - a)));
  expect(answer.total).toMatchObject({ projects: shown.length });
  expect(cents(answer.total.compute_hours)).toBe(cents(...shown.map(each => each.compute_hours)));
  expect(cents(answer.total.cost)).toBe(cents(...shown.map(each => each.cost)));
}

function isAsked(project: TrueProject, { account, group, region, q, gone }: FleetQuestion): boolean {
  const isGone = project.deleted_at !== undefined;
  const [grouping, name] = group.split('/');
  return (
    (account === '' || project.account === account) &&
    (region === '' || project.region === region) &&
    (q === '' || project.name.includes(q) || project.id.includes(q)) &&
    (gone === 'all' || isGone === (gone === 'only')) &&
    (group === '' || groupOf(grouping === 'team' ? 'team' : 'stage', project) === name)
  );
}

function rowsOf({ rows }: WrittenReport, { account, project_id }: ShownProject): WrittenReport['rows'] {
  return rows.filter(row => row.account === account && row.project_id === project_id);
}

function countStarts({ fleet }: Stage, isMeant: (project: string) => boolean, stretch: Stretch): number {
  return fleet.operations.filter(
    ({ project, action, status, updatedAt }) =>
      isMeant(project) && action === 'start_compute' && status === 'finished' && isWithin(updatedAt, stretch),
  ).length;
}

function countFailed({ fleet }: Stage, isMeant: (project: string) => boolean, stretch: Stretch): number {
  return fleet.operations.filter(
    ({ project, status, updatedAt }) =>
      isMeant(project) && status === 'failed' && isWithin(updatedAt, stretch),
  ).length;
}

function isWithin(at: number, { fromAt, untilAt }: Stretch): boolean {
  return at >= fromAt && at < untilAt;
}

/** That the page of a project has, day by day, the figures of reports and of the simulator. */
export async function checkProject(stage: Stage, { account, id }: TrueProject): Promise<void> {
  const { use, findings } = await stage.json(`/projects/${account}/${id}?range=7d`);
  const stretch = readStretch(use.period);
  const zone = new Intl.DateTimeFormat('sv-SE', { timeZone: use.period.timezone });
  const next = zone.format(stretch.untilAt + 24 * hourMs);
  const days = `--period ${zone.format(stretch.fromAt)}..${next} --project ${account}/${id} --step day`;
  const [hours, cost] = [await stage.report(`usage ${days}`), await stage.report(`cost ${days}`)];
  const shown: readonly { day: string; compute_hours: string; starts: number | null; cost: string | null }[] =
    use.days;
  expect(shown.map(({ day, compute_hours, starts }) => [day, compute_hours, starts])).toEqual(
    hours.rows.map(row => [row.step, row.compute_hours, row.starts]),
  );
  expect(shown.filter(day => day.cost !== null).map(day => [day.day, day.cost])).toEqual(
    cost.rows.filter(row => row.cost !== null).map(row => [row.step, row.cost]),
  );
  expect(use.total).toEqual({ compute_hours: hours.totals?.compute_hours, cost: cost.totals?.cost });
  for (const [index, { day, compute_hours, starts }] of shown.entries()) {
    const own = {
      fromAt: Date.parse(String(hours.rows[index]?.step_from)),
      untilAt: Date.parse(String(hours.rows[index]?.step_until)),
    };
    if (own.fromAt < watchedFromAt) continue;
    const isOwn = (each: string) => each === id;
    expectNear(compute_hours, hoursOf(stage.fleet.usedIn(own, isOwn)), 2, `hours of ${id} on ${day}`);
    expect(starts, day).toBe(countStarts(stage, isOwn, own));
  }
  const found = (await stage.report('findings')).rows.filter(row => row.project_id === id);
  expect(findings.findings.map((each: { kind: string }) => each.kind)).toEqual(found.map(({ kind }) => kind));
}

/** That operations are counted as the simulator counts them. */
export async function checkOperations(
  stage: Stage,
  asked: { readonly range: '24h' | '7d' | '30d'; readonly account: string; readonly project: string },
): Promise<void> {
  const { fleet } = stage;
  const answer = await stage.json(`/operations?${new URLSearchParams(asked)}`);
  const isMeant = (id: string) =>
    fleet.projects.some(
      project =>
        project.id === id &&
        (asked.account === '' || asked.account === project.account) &&
        (asked.project === '' || asked.project === id),
    );
  expect(answer.failed.count).toBe(countFailed(stage, isMeant, readStretch(answer)));
  const isThere = (id: string) => fleet.projects.find(each => each.id === id)?.deleted_at === undefined;
  const open = fleet.operations.filter(
    ({ project, status }) =>
      isMeant(project) && isThere(project) && ['scheduling', 'running'].includes(status),
  );
  const stuck = open.filter(({ createdAt }) => fleet.now - createdAt > answer.stuck_after_ms);
  expect([answer.in_progress.count, answer.in_progress.stuck]).toEqual([open.length, stuck.length]);
}
