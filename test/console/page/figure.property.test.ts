import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FleetAnswer } from '../../../src/console/page/fleet/fleet-answer.ts';
import { liveProjects } from '../../../src/simulator/model/account.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';

const numRuns = process.env.FUZZ === 'long' ? 25 : 2;
const day = 86_400;
const price = 0.1603;
const yaml = `
pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: ${price}}]}]}
groups: {team: {web: {projects: ["*s*"]}, data: {projects: ["*t*"]}}}
`;

/** All that the service itself counted of a project. */
interface TrueProject {
  readonly project_id: string;
  readonly name: string;
  readonly region: string;
  readonly group: string;
  readonly hours: number;
  readonly starts: number;
  readonly failures: number;
}

/** Projects that were deleted before anybody watched are not known. */
function countTruth(lived: LivedHistory): readonly TrueProject[] {
  const regions = new Map(liveProjects(lived.account).map(({ id, regionId }) => [id, regionId]));
  const known = lived.truth().projects.filter(({ deleted }) => !deleted);
  return known.map(({ project_id, name, cpu_used_sec_ever, endpoints, operations }) => ({
    ...{ project_id, name, region: regions.get(project_id) ?? '' },
    group: groupOf(`${name} ${project_id}`),
    hours: cpu_used_sec_ever / 3600,
    starts: endpoints.reduce((sum, endpoint) => sum + endpoint.starts, 0),
    failures: operations.reduce((sum, { status, count }) => sum + (status === 'failed' ? count : 0), 0),
  }));
}

/** Patterns of groups are of names and of ids. */
function groupOf(text: string): string {
  if (text.includes('s')) return 'team/web';
  return text.includes('t') ? 'team/data' : 'team/ungrouped';
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
/** Shown figures of two places add up to the rounded whole, so each may be off by one of the last place. */
const expectNear = (shown: string | null, wanted: number, where: string) =>
  expect(Math.abs(Number(shown ?? 0) - wanted), where).toBeLessThanOrEqual(0.01 + 1e-9);

test('the figures of pages are those that the service counted, whatever is filtered, over fleets and days', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1e6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (seed, projects, days) => {
        // All of it lies in one billing period.
        using lived = new LivedHistory({
          now: Date.UTC(2026, 9, 20, 7) / 1000,
          seed,
          projects,
          historyDays: 5,
        });
        lived.watch(days * day, { listEverySeconds: 7200, projectsEvery: 2 });
        const shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
        try {
          await expectTruth(shown, countTruth(lived), lived.account.keys.list().length);
        } finally {
          shown.close();
        }
      },
    ),
    { numRuns },
  );
});

type ShownConsole = Awaited<ReturnType<typeof openConsole>>;

async function expectTruth(shown: ShownConsole, truth: readonly TrueProject[], keys: number): Promise<void> {
  const filters: readonly (readonly [query: string, isMeant: (project: TrueProject) => boolean])[] = [
    ['account=main', () => true],
    ...['team/web', 'team/data', 'team/ungrouped'].map(
      group => [`group=${group}`, (each: TrueProject) => each.group === group] as const,
    ),
    ...new Set(truth.map(({ region }) => region))
      .values()
      .map(region => [`region=${region}`, (each: TrueProject) => each.region === region] as const),
    ...truth.map(
      ({ project_id }) => [`q=${project_id}`, (each: TrueProject) => each.project_id === project_id] as const,
    ),
  ];
  for (const [query, isMeant] of filters) {
    const members = truth.filter(isMeant);
    const { projects, total }: FleetAnswer = await shown.json(`/projects?${query}&limit=500`);
    expect(projects.map(({ project_id }) => project_id).toSorted(), query).toEqual(
      members.map(({ project_id }) => project_id).toSorted(),
    );
    for (const row of projects) {
      const own = members.find(({ project_id }) => project_id === row.project_id);
      const where = `${query} ${row.project_id}`;
      expectNear(row.compute_hours, own?.hours ?? 0, where);
      expectNear(row.cost, (own?.hours ?? 0) * price, where);
      expect([row.starts, row.failures], where).toEqual([own?.starts, own?.failures]);
    }
    expect(total.projects, query).toBe(members.length);
    const off = Math.max(1, members.length) * 0.01;
    expect(
      Math.abs(Number(total.compute_hours) - sum(members.map(({ hours }) => hours))),
      query,
    ).toBeLessThan(off + 1e-9);
  }
  const hours = sum(truth.map(each => each.hours));
  const { spending } = await shown.json('/overview');
  expectNear(spending.compute_hours, hours, 'overview');
  expectNear(spending.cost, hours * price, 'overview');
  for (const by of ['project', 'group', 'region', 'account']) {
    for (const step of ['day', 'week', 'month']) {
      const where = `${by} by ${step}`;
      const { cost } = await shown.json(`/cost?period=2026-10&by=${by}&step=${step}`);
      expectNear(cost.used_hours, hours, where);
      expectNear(cost.cost, hours * price, where);
    }
  }
  const failures = sum(truth.map(each => each.failures));
  expect((await shown.json('/operations?status=failed&range=30d')).failed.count).toBe(failures);
  for (const { project_id, failures } of truth) {
    const { failed } = await shown.json(`/operations?status=failed&range=30d&project=${project_id}`);
    expect(failed.count, project_id).toBe(failures);
  }
  expect((await shown.json('/keys')).count).toBe(keys);
}
