import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows, readTotals } from '../../../src/console/report-row.ts';
import { liveProjects } from '../../../src/simulator/model/account.ts';
import { liveFollowedFinding } from '../../support/followed-finding.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';

const yaml = `
pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: "0.5"}]}]}
groups: {team: {web: {projects: ["*-campaign", "*-backend"]}}}
`;
const hostile = `<script>alert(1)</script>"'&\u202e${'x'.repeat(10_000)}`;

const lived = new LivedHistory({
  ...{ now: Date.UTC(2026, 9, 1) / 1000, seed: 21, projects: 8, historyDays: 30, showcase: true },
});
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  const [first] = liveProjects(lived.account);
  Object.assign(first ?? {}, { name: hostile });
  lived.watch(3 * 86_400, { listEverySeconds: 3600, projectsEvery: 1 });
  shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
}, 180_000);
afterAll(() => {
  shown.close();
  lived[Symbol.dispose]();
});

type Finding = Readonly<Record<string, string | boolean | null>>;
const read = async (query = '') => shown.json(`/findings?limit=500${query}`);
const keyOf = ({ project_id, endpoint_id, kind }: Finding) => `${project_id} ${endpoint_id} ${kind}`;

test('every figure is that of the report, in its order', async () => {
  const report = await shown.report('findings', {});
  const answer = await read();
  expect(answer.count).toBeGreaterThan(3);
  expect(
    answer.findings.map((each: Finding) => [
      ...[each.kind, each.project_id, each.endpoint_id ?? ''],
      ...[each.compute_hours_per_month, each.cost_per_month],
      ...[each.most_compute_hours_per_month, each.most_cost_per_month],
      ...[each.up_to, each.evidence, each.advice],
    ]),
  ).toEqual(
    readRows<'findings'>(report).map(row => [
      ...[row.kind, row.project_id, row.endpoint_id ?? ''],
      ...[row.compute_hours_per_month, row.cost_per_month].map(each => each ?? null),
      ...[row.most_compute_hours_per_month, row.most_cost_per_month].map(each => each ?? null),
      ...[row.up_to, row.evidence, row.advice],
    ]),
  );
  const totals = readTotals<'findings'>(report);
  expect(answer.cost_per_month).toBe(totals?.cost_per_month);
  expect(answer.compute_hours_per_month).toBe(totals?.compute_hours_per_month);
  expect(answer.most_cost_per_month).toBe(totals?.most_cost_per_month);
  expect(answer.most_compute_hours_per_month).toBe(totals?.most_compute_hours_per_month);
  expect([...answer.report.missing, ...answer.report.notes]).toHaveLength(report.notes.length);
  const { text } = await shown.get('/findings?limit=500');
  expect(text).toContain('Likely saved a month');
  expect(text).toContain('Saved a month at most');
  expect(text).toContain('</strong> a month could likely be saved, at most ');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('x'.repeat(200));
});

test('filters leave what is like them, and their sum', async () => {
  const { findings } = await read();
  const kind = String(findings[0].kind);
  const ofKind = await read(`&kind=${kind}`);
  expect(ofKind.findings).toEqual(findings.filter((each: Finding) => each.kind === kind));
  const sum = ofKind.findings.reduce(
    (cents: number, each: Finding) => cents + Math.round(100 * Number(each.cost_per_month)),
    0,
  );
  expect(Math.round(100 * Number(ofKind.cost_per_month))).toBe(sum);
  const isWeb = ({ project_name }: Finding) => /-(campaign|backend)$/.test(String(project_name));
  const [web, others] = [await read('&group=team/web'), await read('&group=team/ungrouped')];
  expect(web.findings).toEqual(findings.filter(isWeb));
  expect(web.count).toBeGreaterThan(0);
  expect(others.findings).toEqual(findings.filter((each: Finding) => !isWeb(each)));
  const { project_id } = findings.at(-1);
  expect((await read(`&project=${project_id.toUpperCase()}`)).findings.map(keyOf)).toContain(
    keyOf(findings.at(-1)),
  );
  expect((await read('&project=nothing-is-called-so')).findings).toEqual([]);
});

test('a filter that knows nothing of the sort says what is possible', async () => {
  for (const [filter, possible] of [
    ['kind=colour', 'idle_tail'],
    ['group=team/nobody', 'team/web'],
    ['account=other', 'main'],
  ]) {
    const { status, text } = await shown.get(`/api/v1/findings?${filter}`);
    expect(status).toBe(400);
    expect(JSON.parse(text).possible).toContain(possible);
  }
});

test('parts follow one another without a gap or a repetition', async () => {
  const { findings } = await read();
  const parts: Finding[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const part: { findings: Finding[]; next_cursor: string | null } = await shown.json(
      `/findings?limit=2&cursor=${cursor}`,
    );
    parts.push(...part.findings);
    cursor = part.next_cursor;
  }
  expect(parts).toEqual(findings);
});

test('done findings are those of the report', async () => {
  const report = await shown.report('findings', { done: true });
  const answer = await read('&show=done');
  expect(answer.findings.map(keyOf)).toEqual(
    readRows<'findings'>(report).map(row => `${row.project_id} ${row.endpoint_id} ${row.kind}`),
  );
  expect((await shown.get('/findings?show=done')).text).toContain('Saved a month');
  expect((await shown.get('/findings')).text).toContain('<a href="/findings?show=done">');
  expect((await shown.get('/reports/findings?format=csv&done=yes')).text).toContain('saved_cost_per_month');
});

test('what is done and what it saves is shown below what is open, by the same filter', async () => {
  using life = liveFollowedFinding();
  const later = await openConsole({ file: life.folder.file, now: life.now, yaml });
  const done = await later.json('/findings?show=done');
  expect(done.count).toBe(1);
  const { findings, compute_hours_per_month, cost_per_month } = done;
  const beside = (await later.json('/findings')).done;
  expect(beside).toEqual({ count: 1, compute_hours_per_month, cost_per_month, currency: 'EUR', findings });
  const { text } = await later.get('/findings');
  expect(text).toContain('id="done"><header><h2>Done, and what it saves</h2>');
  expect(text).toContain(
    `1 finding is done: the advice was followed. What that saves a month, at the prices of now: <strong>€${Number(cost_per_month)}`,
  );
  expect(text).toMatch(
    /<td data-title="Advice followed">\d{4}-\d\d-\d\d<span class="s"><time [^>]*>[^<]* ago<\/time>/,
  );
  expect(text).not.toContain('--done');
  expect((await later.json('/findings?kind=idle_tail')).done).toBeNull();
  later.close();
}, 180_000);

test('without prices findings have hours alone', async () => {
  const free = await openConsole({ file: lived.folder.file, now: lived.now });
  const { has_prices, cost_per_month, compute_hours_per_month, findings } = await free.json('/findings');
  expect({ has_prices, cost_per_month }).toEqual({ has_prices: false, cost_per_month: null });
  expect(Number(compute_hours_per_month)).toBeGreaterThan(0);
  expect(findings[0].cost_per_month).toBeNull();
  expect((await free.get('/findings')).text).toContain('Without prices there is no money');
  free.close();
});
