import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type {
  ProjectAnswer,
  ProjectsAnswer,
} from '../../../src/console/page/project-index/projects-answer.ts';
import { projectSorts } from '../../../src/console/page/project-index/projects-answer.ts';
import { readRows, readTotals } from '../../../src/console/report-row.ts';
import { amountOf, showAmount, sumAmounts } from '../../../src/cost/money/money.ts';
import type { Report } from '../../../src/report/format/report.ts';
import { deleteProject, liveProjects } from '../../../src/simulator/model/account.ts';
import { recordOperation } from '../../../src/simulator/model/operation.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

const groups = 'groups: {team: {web: {projects: ["*-campaign", "*-backend"]}}}';
const yaml = `
pricing:
  currency: EUR
  plans: [{name: all, base_fee: 19, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]
${groups}
`;
const hostile = `<script>alert(1)</script>"'&\u202e${'x'.repeat(10_000)}`;
const hour = 3600;

const lived = new LivedHistory({
  now: Date.UTC(2026, 9, 3) / 1000,
  projects: 8,
  historyDays: 4,
  showcase: true,
});
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  lived.watch(6 * hour, { listEverySeconds: hour, projectsEvery: 1 });
  const [first, second] = liveProjects(lived.account);
  if (first === undefined || second === undefined) throw new Error('the fleet is empty');
  Object.assign(first, { name: hostile });
  const failed = { action: 'apply_config', status: 'failed', runsAt: 0, failuresCount: 1 } as const;
  recordOperation(first, { ...failed, branchId: first.branches[0]?.id ?? '' });
  deleteProject(second);
  lived.watch(hour, { listEverySeconds: hour, projectsEvery: 1 });
  shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
});
afterAll(() => {
  shown.close();
  lived[Symbol.dispose]();
});

const read = async (query = ''): Promise<ProjectsAnswer> => shown.json(`/projects?limit=500${query}`);
const ids = ({ projects }: ProjectsAnswer) => projects.map(({ project_id }) => project_id);
const rowsById = (report: Report) =>
  Map.groupBy(readRows<'usage' | 'cost' | 'operations' | 'findings'>(report), row => row.project_id);

test('hours, starts, cost, failures and findings are those of the reports', async () => {
  const { projects } = await read('&gone=all');
  const options = { period: 'billing', by: 'project' } as const;
  const [usage, cost, operations, findings] = await Promise.all([
    shown.report('usage', options),
    shown.report('cost', options),
    shown.report('operations', options),
    shown.report('findings', {}),
  ]);
  const [used, costs, ended, found] = [usage, cost, operations, findings].map(rowsById);
  expect(projects.length).toBeGreaterThan(8);
  expect(projects.filter(each => each.findings !== 0).length).toBeGreaterThan(2);
  for (const each of projects) {
    const one = used?.get(each.project_id)?.[0];
    const counts = ended?.get(each.project_id)?.map(row => row.failed ?? 0) ?? [];
    const findingsOf = found?.get(each.project_id) ?? [];
    expect(each).toMatchObject({
      compute_hours: one?.compute_hours ?? '0.00',
      starts: one?.starts ?? 0,
      cost: costs?.get(each.project_id)?.[0]?.cost ?? '0.00',
      failures: counts.reduce((sum, count) => sum + count, 0),
      findings: findingsOf.length,
      findings_cost_per_month: addKnown(findingsOf.map(row => row.cost_per_month ?? null)),
      findings_most_cost_per_month: addKnown(findingsOf.map(row => row.most_cost_per_month ?? null)),
    });
  }
  expect(projects.reduce((sum, { failures }) => sum + (failures ?? 0), 0)).toBeGreaterThan(0);
});

test('the figure of failed operations leads to as many of them', async () => {
  const failing = (await read('&gone=all')).projects.filter(({ failures }) => (failures ?? 0) > 0);
  const { text } = await shown.get('/projects?limit=500&gone=all');
  const links = [...text.matchAll(/<a class="crit" href="([^"]+)">([\d,]+)<\/a>/g)];
  // Each is in the row, and again in what a folded row leaves out.
  expect(links).toHaveLength(2 * failing.length);
  for (const [, href = '', figure] of links) {
    const [address = '', place] = href.replaceAll('&amp;', '&').split('#');
    expect(place).toBe('timeline');
    const { timeline } = await shown.json(address);
    expect([href, String(timeline.failed_count)]).toEqual([href, figure]);
  }
});

test('a project is marked by an operation that is stuck, or failed and has not worked since', async () => {
  const { projects } = await read();
  const { stuck, operation_failed: failed } = Object.groupBy(projects, ({ trouble }) => trouble ?? 'none');
  expect(failed?.map(({ project_name }) => project_name)).toEqual([hostile]);
  const { in_progress } = await shown.json('/operations?status=in_progress');
  const isStuck = ({ outcome }: { readonly outcome: string }) => outcome === 'stuck';
  expect(stuck?.map(({ project_id }) => project_id) ?? []).toEqual(
    in_progress.operations.filter(isStuck).map(({ project_id }: ProjectAnswer) => project_id),
  );
  const { text } = await shown.get('/projects');
  for (const [project, status] of [
    [failed?.[0], 'failed'],
    [stuck?.[0], 'in_progress'],
  ] as const)
    expect(text).toContain(`href="/operations?project=${project?.project_id}&amp;status=${status}"`);
});

test('the forecast is that of the report of each project alone, and the page has it', async () => {
  const { projects, total } = await read('&sort=forecast');
  for (const { project_id, cost_forecast } of projects) {
    const [alone] = readRows<'forecast'>(await shown.report('forecast', { project: `main/${project_id}` }));
    expect(cost_forecast, project_id).toBe(alone?.expected);
  }
  expect(total.cost_forecast).toBe(add(projects.map(each => each.cost_forecast)));
  const forecasts = projects.map(each => Number(each.cost_forecast));
  expect(forecasts).toEqual(forecasts.toSorted((a, b) => b - a));
  expect(forecasts[0]).toBeGreaterThan(0);
  const { text } = await shown.get('/projects?sort=forecast');
  expect(text).toContain(`€${projects[0]?.cost_forecast}`);
});

test('projects and charges of accounts add up to the totals of the reports', async () => {
  const { total, charges, projects, currency, period, pending } = await read('&gone=all');
  const cost = await shown.report('cost', { period: 'billing', by: 'project' });
  const usage = await shown.report('usage', { period: 'billing', by: 'project' });
  expect(charges).toEqual([
    { account: 'main', charge: '(base fee)', billing_period: '2026-10', cost: '19.00' },
  ]);
  expect(add([total.cost, ...charges.map(each => each.cost)])).toBe(readTotals<'cost'>(cost)?.cost);
  expect(total).toMatchObject({
    projects: projects.length,
    compute_hours: readTotals<'usage'>(usage)?.compute_hours,
  });
  expect([currency, pending]).toEqual(['EUR', []]);
  expect(period).toEqual({ from: '2026-10-01T00:00:00.000Z', until: new Date(lived.now).toISOString() });
});

test('endpoints, states and starts are those of the service', async () => {
  const { projects } = await read('&gone=all');
  const truth = new Map(lived.truth().projects.map(each => [each.project_id, each]));
  for (const project of projects) {
    const told = truth.get(project.project_id);
    expect(project.state === 'gone', project.project_id).toBe(told?.deleted);
    if (told === undefined || told.deleted) continue;
    expect(project.endpoints).toBe(told.endpoints.length);
  }
  expect(new Set(projects.map(({ state }) => state))).toEqual(new Set(['active', 'idle', 'gone']));
});

test.each(projectSorts)(
  'sorted by %s, parts one after the other are all rows once, either way',
  async sort => {
    for (const order of ['asc', 'desc']) {
      const whole = await read(`&gone=all&sort=${sort}&order=${order}`);
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const part: ProjectsAnswer = await shown.json(
          `/projects?gone=all&sort=${sort}&order=${order}&limit=3&cursor=${cursor}`,
        );
        found.push(...ids(part));
        cursor = part.next_cursor;
      }
      expect(found).toEqual(ids(whole));
      expect(new Set(found).size).toBe(whole.total.projects);
    }
  },
);

test('rows are in order of what they are sorted by', async () => {
  const { projects } = await read('&gone=all');
  const costs = projects.map(({ cost }) => Number(cost));
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  const names = (await read('&sort=name&order=asc')).projects.map(
    each => each.project_name?.toLowerCase() ?? '',
  );
  expect(names).toEqual(names.toSorted());
});

test('filters choose the rows that have it', async () => {
  const all = (await read('&gone=all&sort=name')).projects;
  const having = async (query: string, has: (project: ProjectAnswer) => boolean) => {
    const wanted = all.filter(has).map(({ project_id }) => project_id);
    expect(wanted.length, query).toBeGreaterThan(0);
    expect(ids(await read(`&sort=name${query}`)), query).toEqual(wanted);
  };
  const isThere = ({ gone_at }: ProjectAnswer) => gone_at === null;
  const { project_id, region_id } = all.find(isThere) as ProjectAnswer;
  await having('', isThere);
  await having('&gone=only', project => !isThere(project));
  await having(`&q=${project_id.toUpperCase()}`, project => project.project_id === project_id);
  await having('&q=SCRIPT', project => project.project_name === hostile);
  await having(`&region=${region_id}`, project => isThere(project) && project.region_id === region_id);
  await having('&state=active', project => project.state === 'active');
  await having('&state=idle', project => isThere(project) && project.endpoints_active === 0);
  await having('&finding=with', project => isThere(project) && (project.findings ?? 0) > 0);
  await having('&group=team/web', project => isThere(project) && project.groups.team === 'web');
  await having('&group=WE', project => isThere(project) && project.groups.team === 'web');
  await having(
    '&account=main&group=team/ungrouped',
    project => isThere(project) && project.groups.team !== 'web',
  );
});

test('a project that is still to be imported is said to be, with nothing counted of it', async () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p-read'), wireProject('p-left')]);
  const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('op-1')] };
  history.commitOne(projectReading(startAt, 'p-read', read));
  folder.close(history);
  const begun = await openConsole({ file: folder.file, now: startAt + 60_000 });
  const { projects }: ProjectsAnswer = await begun.json('/projects?sort=name&order=asc');
  expect(projects).toMatchObject([
    { project_id: 'p-left', state: 'importing', starts: null, failures: null },
    { project_id: 'p-read', state: 'idle', starts: 1, failures: 0 },
  ]);
  expect(ids(await begun.json('/projects?state=importing'))).toEqual(['p-left']);
  const { text } = await begun.get('/projects?state=importing');
  expect(text).toContain('to be imported</span>');
  expect(text).not.toMatch(/0 of 0|never/);
  expect((await begun.get('/projects/main/p-left')).text).toContain('not yet: it is still to be imported');
  begun.close();
});

test('what is not there is said with what is', async () => {
  const { choices }: ProjectsAnswer = await shown.json('/projects');
  for (const [query, possible] of [
    ['account=other', ['main']],
    ['region=nowhere', choices.regions],
    ['group=team/x', ['team/web', 'team/ungrouped']],
  ] as const) {
    const { status, text } = await shown.get(`/api/v1/projects?${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(text).possible).toEqual(possible);
  }
  expect((await shown.get('/projects?sort=colour')).status).toBe(400);
  expect((await shown.get('/projects?cursor=zzz')).status).toBe(400);
});

test('figures that cannot be worked out are named, and the projects are shown without them', async () => {
  const { reports } = shown.sources;
  const known = await reports.projects();
  const failed = [{ name: 'findings', message: 'the disk is gone' }] as const;
  vi.spyOn(reports, 'projects').mockResolvedValue({ ...known, failed });
  const { failing, pending, projects }: ProjectsAnswer = await shown.json('/projects');
  expect([failing, pending, projects.length > 0]).toEqual([['findings'], [], true]);
  expect((await shown.get('/projects')).text).toContain(
    'Not worked out: findings. The log of the daemon says why.',
  );
  vi.restoreAllMocks();
});

test('that the history is behind is said once, also where days are of another zone than billing periods', async () => {
  const behind = await openConsole({
    ...{ file: lived.folder.file, now: lived.now + 6 * hour * 1000 },
    yaml: `usage: {timezone: Europe/Berlin}\n${yaml}`,
  });
  const { partial, notes }: ProjectsAnswer = await behind.json('/projects');
  behind.close();
  expect(partial).toBe(true);
  expect(notes.filter(note => note.includes(' was last read at '))).toEqual([
    'Account main was last read at 2026-10-03 07:00: what was used since is not known.',
  ]);
});

test('the page shows the answer, a hostile name as cut text', async () => {
  const { text } = await shown.get('/projects');
  const { projects } = await read();
  for (const { project_id, cost } of projects) {
    expect(text).toContain(`/projects/main/${project_id}"`);
    expect(text).toContain(`€${cost}`);
  }
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script>alert(1)');
  expect(text.length).toBeLessThan(40_000);
});

test('a project whose endpoint is awake was last used when a query touched it, and not now', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const at = Date.UTC(2026, 9, 7);
  history.commitOne(projectsReading(at, [wireProject('p1')]));
  const last_active = instant(at - 120 * minute);
  const endpoints = [
    wireEndpoint('ep-1', { current_state: 'active', last_active }),
    wireEndpoint('ep-2', { current_state: 'stopped', last_active }),
  ];
  history.commitOne(projectReading(at, 'p1', { endpoints, operations: [] }));
  folder.close(history);
  const opened = await openConsole({ file: folder.file, now: at });
  const { text } = await opened.get('/projects');
  const { text: overview } = await opened.get('/');
  opened.close();
  expect(text).toContain('>Last used</a>');
  expect(text).toContain('title="2026-10-06 22:00:00 UTC">2 h ago</time>');
  expect(text).not.toMatch(/last active|>now</i);
  expect(overview).toContain('<h2>Awake now</h2>');
  expect(overview).toContain('<p class="x">1 asleep</p>');
});

test('without prices there is no cost, and the page says what to write', async () => {
  const free = await openConsole({ file: lived.folder.file, now: lived.now, yaml: groups });
  const { projects, currency }: ProjectsAnswer = await free.json('/projects');
  expect([currency, new Set(projects.map(({ cost }) => cost))]).toEqual([null, new Set([null])]);
  const hours = projects.map(({ compute_hours }) => Number(compute_hours));
  expect(hours).toEqual(hours.toSorted((one, other) => other - one));
  const { text } = await free.get('/projects');
  expect(text).toContain('What they cost is not known: <a href="/cost">set a price</a>.');
  free.close();
});

/** Null where none is known. */
function addKnown(texts: readonly (string | null)[]): string | null {
  return texts.every(text => text === null) ? null : add(texts);
}

function add(texts: readonly (string | null | undefined)[]): string {
  return showAmount(sumAmounts(texts.map(text => amountOf(text ?? '0'))), 2);
}
