import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRows } from '../../../src/console/report-row.ts';
import type { History } from '../../../src/history/history.ts';
import { keepAll } from '../../../src/history/upkeep/retention.ts';
import { hash } from '../../../src/simulator/model/random.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

const hour = 60 * minute;
const hostile = `<script>alert(1)</script>"'&\u202egnp.\u0007${'x'.repeat(10_000)}`;
const beginAt = Date.UTC(2026, 9, 1);
const days = 6;
/** Each time it is used for a minute, and waits for a quarter of an hour. */
const wakeHours = [0, 4, 8, 12, 16, 20];
/** At no fixed time of the day, as people do. */
const wokenAfter = (dayIndex: number, wakeHour: number) =>
  wakeHour * hour + (hash(dayIndex, wakeHour) % 200) * minute;
const awakeMs = 16 * minute;
const now = beginAt + days * day;
const yaml = `pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}\n`;

const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

type Stretch = Readonly<Record<'from' | 'until' | 'state', string>>;

function ended(action: string, at: number, fields: Record<string, unknown> = {}) {
  const times = { created_at: instant(at - 2000), updated_at: instant(at) };
  return wireOperation(`${action} ${at}`, { action, endpoint_id: 'ep-1', ...times, ...fields });
}

const project = (hours: number) =>
  wireProject('p1', {
    ...{ name: 'shop', region_id: 'aws-eu', pg_version: 16, owner_id: 'person-7' },
    ...{ created_at: instant(beginAt), cpu_used_sec: Math.round(hours * 3600) },
  });
const other = wireProject('p/2', { name: hostile, created_at: instant(beginAt), owner_id: hostile });
const endpoint = (lastUseAt: number, current_state = 'idle') =>
  wireEndpoint('ep-1', {
    ...{ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2, created_at: instant(beginAt) },
    ...{ suspend_timeout_seconds: 900, last_active: instant(lastUseAt), current_state },
  });

/** Has a history live through all days. */
function live(history: History): void {
  history.commitOne(projectsReading(beginAt - day, []));
  history.commitOne(projectsReading(beginAt, [project(0), other]));
  let hours = 0;
  for (let dayIndex = 0; dayIndex < days; dayIndex += 1) {
    for (const wakeHour of wakeHours) {
      const wokenAt = beginAt + dayIndex * day + wokenAfter(dayIndex, wakeHour);
      const start = [ended('start_compute', wokenAt)];
      const read = (readAt: number, state: string, operations: readonly object[]) => {
        const endpoints = [endpoint(wokenAt + minute, state)];
        history.commitOne(projectReading(readAt, 'p1', { endpoints, operations }));
      };
      read(wokenAt + 2 * minute, 'active', start);
      hours += (2 * awakeMs) / hour;
      read(wokenAt + 20 * minute, 'idle', [ended('suspend_compute', wokenAt + awakeMs), ...start]);
      history.commitOne(projectsReading(wokenAt + 20 * minute, [project(hours), other]));
    }
  }
  const failures = [{ action: hostile.slice(0, 300), status: 'failed', failures_count: 2, error: hostile }];
  history.commitOne(
    projectReading(now - hour, 'p/2', {
      endpoints: [wireEndpoint(hostile.slice(0, 300), { current_state: 'idle' })],
      operations: failures.map(fields => ended('odd', now - 2 * hour, fields)),
    }),
  );
  history.commitOne(
    projectReading(now, 'p1', {
      endpoints: [endpoint(beginAt + (days - 1) * day + wokenAfter(days - 1, 20) + minute)],
      operations: [],
    }),
  );
  history.commitOne(projectsReading(now, [project(hours), other]));
}

beforeAll(async () => {
  const history = folder.open();
  live(history);
  folder.close(history);
  shown = await openConsole({ file: folder.file, now, yaml });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

test('the head says what is known, and who owns it to those alone who may read that', async () => {
  const answer = await shown.json('/projects/main/p1');
  expect(answer).toMatchObject({
    ...{ account: 'main', project_id: 'p1', project_name: 'shop', region_id: 'aws-eu', pg_version: '16' },
    ...{ created_at: instant(beginAt), gone_at: null, owner_id: null },
  });
  expect((await shown.get('/projects/main/p1')).text).not.toContain('person-7');
  expect((await shown.get('/projects/main/p1', { showsPersonal: true })).text).toContain('person-7');
});

test('the timeline has each state one after the other, and adds up to the range', async () => {
  const { timeline } = await shown.json('/projects/main/p1?range=24h');
  const [lane] = timeline.endpoints;
  expect(lane).toMatchObject({
    ...{ endpoint_id: 'ep-1', awake_ms: 6 * awakeMs, starts: 6, suspends: 6, columns: null },
    ...{ asleep_ms: day - 6 * awakeMs, unknown_ms: 0 },
  });
  const first = lane.intervals.find(({ state }: { state: string }) => state === 'active');
  expect(first).toEqual({
    from: instant(now - day + wokenAfter(days - 1, 0)),
    until: instant(now - day + wokenAfter(days - 1, 0) + awakeMs),
    state: 'active',
  });
});

test('the timeline is that of the time awake and the starts which the report tells', async () => {
  const from = instant(now - 4 * day);
  const { timeline } = await shown.json(`/projects/main/p1?from=${from}`);
  const period = `${from.slice(0, 10)}..${instant(now).slice(0, 10)}`;
  const [row] = readRows<'usage'>(await shown.report('usage', { period, project: 'main/p1' }));
  expect((timeline.endpoints[0].awake_ms / hour).toFixed(2)).toBe(row?.awake_hours);
  expect(timeline.endpoints[0].starts).toBe(row?.starts);
});

test('before states are kept, operations tell them, and before those there is use by day alone', async () => {
  using pruned = new HistoryFolder();
  const keep = { ...keepAll, samples: 2 * day, operations: 4 * day };
  const history = pruned.open({ keep });
  live(history);
  while (history.upkeep(now));
  pruned.close(history);
  const later = await openConsole({ file: pruned.file, now, yaml });
  const from = instant(beginAt);
  const { timeline, use } = await later.json(`/projects/main/p1?from=${from}`);
  const [keptFrom, operationsFrom] = [instant(now - 2 * day), instant(now - 4 * day)];
  expect(timeline).toMatchObject({
    kept_from: keptFrom,
    operations_kept_from: operationsFrom,
    reconstructed: { from: operationsFrom, until: keptFrom },
  });
  const whole = (await shown.json(`/projects/main/p1?from=${from}`)).timeline.endpoints[0];
  const [lane] = timeline.endpoints;
  const since = ({ until, state }: Stretch) => state === 'active' && until > operationsFrom;
  expect(lane.intervals.filter(since)).toEqual(whole.intervals.filter(since));
  expect(lane.awake_ms).toBe(4 * wakeHours.length * awakeMs);
  expect(lane.unknown_ms).toBeGreaterThanOrEqual(2 * day);
  expect(use.days.map((each: { day: string }) => each.day)).toContain(from.slice(0, 10));
  const { text } = await later.get(`/projects/main/p1?from=${from}`);
  expect(text).toContain('<rect class="faded"');
  expect(text).toContain('<code>history.keep_operations</code>');
  const { text: recent } = await later.get('/projects/main/p1?range=24h');
  expect(recent).not.toMatch(/class="faded"|keep_samples/);
  later.close();
});

test('each day has the figures of the reports of use and of cost by day', async () => {
  const { use } = await shown.json('/projects/main/p1?range=6h');
  const period = '2026-09-08..2026-10-08';
  const usage = readRows<'usage'>(await shown.report('usage', { period, step: 'day', project: 'main/p1' }));
  const cost = readRows<'cost'>(await shown.report('cost', { period, step: 'day', project: 'main/p1' }));
  expect(usage).toHaveLength(days);
  expect(use.days.filter((each: { awake_hours: string | null }) => each.awake_hours !== null)).toEqual(
    usage.map((row, index) => ({
      day: row.step,
      compute_hours: row.compute_hours,
      awake_hours: row.awake_hours,
      starts: row.starts,
      cost: cost[index]?.cost,
      cost_missing: null,
    })),
  );
  expect(use).toMatchObject({ currency: 'EUR', pending: [] });
  const { text } = await shown.get('/projects/main/p1?range=6h');
  const hours = Number(use.total.compute_hours).toFixed(1);
  expect(text).toContain(`<strong>€${use.total.cost}</strong>, ${hours} compute hours`);
});

test('findings are those of the report', async () => {
  const { findings } = await shown.json('/projects/main/p1');
  const report = await shown.report('findings', {});
  const [row] = readRows<'findings'>(report);
  expect(report.rows).toHaveLength(1);
  expect(findings).toMatchObject({ pending: false, currency: 'EUR' });
  expect(findings.findings).toMatchObject([
    {
      kind: 'idle_tail',
      compute_hours_per_month: row?.compute_hours_per_month,
      cost_per_month: row?.cost_per_month,
      most_compute_hours_per_month: row?.most_compute_hours_per_month,
      most_cost_per_month: row?.most_cost_per_month,
      evidence: row?.evidence,
      up_to: false,
      advised_delay_seconds: 300,
    },
  ]);
});

test('a finding shows the newest times awake that it rests on', async () => {
  const { findings } = await shown.json('/projects/main/p1');
  const { sessions } = findings.findings[0];
  const wokenAt = beginAt + (days - 1) * day + wokenAfter(days - 1, 20);
  expect(sessions).toHaveLength(10);
  expect(sessions[0]).toEqual({
    from: instant(wokenAt),
    until: instant(wokenAt + awakeMs),
    last_used_at: instant(wokenAt + minute),
    checked_at: null,
  });
  expect((await shown.get('/projects/main/p1')).text).toContain('<td class="number">16 min</td>');
});

test('what a finding proposes saves what the finding says, and half of the size half of the rest', async () => {
  const { findings, what_if } = await shown.json('/projects/main/p1?suspend_after=300');
  const [finding] = findings.findings;
  expect(finding.advice).toBe('Set its auto-suspend delay to 5 minutes.');
  expect(what_if.endpoints).toMatchObject([
    {
      endpoint_id: 'ep-1',
      suspend_delay_seconds: 900,
      min_cu: '2',
      saved_hours_per_month: finding.compute_hours_per_month,
      saved_cost_per_month: finding.cost_per_month,
      most_saved_hours_per_month: finding.most_compute_hours_per_month,
      most_saved_cost_per_month: finding.most_cost_per_month,
      up_to: false,
    },
  ]);
  const { what_if: both } = await shown.json('/projects/main/p1?suspend_after=300&min_cu=1');
  const [of] = both.endpoints;
  const [used, saved, savedBoth] = [
    Number(of.used_hours_per_month),
    Number(what_if.endpoints[0].most_saved_hours_per_month),
    Number(of.most_saved_hours_per_month),
  ];
  expect(savedBoth).toBeCloseTo(saved + (used - saved) / 2, 1);
  // Nobody knows whether half of the size is enough: what is likely is the shorter delay alone.
  expect(of.saved_hours_per_month).toBe(what_if.endpoints[0].saved_hours_per_month);
  const { text } = await shown.get('/projects/main/p1?suspend_after=300&min_cu=1');
  expect(text).toContain(`<td class="number">${Number(of.saved_hours_per_month).toFixed(1)}</td>`);
  expect(text).toContain(`<td class="number">${Number(of.most_saved_hours_per_month).toFixed(1)}</td>`);
  expect(text).toContain(`<td class="number">€${of.most_saved_cost_per_month}</td>`);
  const { what_if: longer } = await shown.json('/projects/main/p1?suspend_after=1800');
  // It waits for a quarter of an hour more after each sixteen minutes.
  expect(Number(longer.endpoints[0].saved_hours_per_month)).toBeCloseTo((-used * 15) / 16, 1);
});

test('operations are paged, the newest first', async () => {
  const first = (await shown.json('/projects/main/p1')).operations;
  expect(first.operations).toHaveLength(8);
  const second = (await shown.json(`/projects/main/p1?cursor=${first.next_cursor}`)).operations;
  const at = [...first.operations, ...second.operations].map(({ created_at }) => created_at);
  expect(at).toEqual(at.toSorted().reverse());
  expect(new Set(at).size).toBe(16);
});

test('links lead to other ranges, from an hour to a year, and keep the rest of the address', async () => {
  const { text } = await shown.get('/projects/main/p1?range=24h&suspend_after=300');
  expect(text).toContain('<a href="/projects/main/p1?suspend_after=300&amp;range=1h#timeline">1 hour</a>');
  expect(text).toContain('&amp;range=24h#timeline" aria-current="true">24 hours</a>');
  const half = encodeURIComponent(instant(now - 12 * hour));
  expect(text).toContain(`suspend_after=300&amp;from=${half}&amp;until=`);
  expect(text).not.toContain('later →');
});

test.each([
  ['from=2026-10-01T00:00:00Z&until=2026-10-01T00:10:00Z', 'not from an hour to a year'],
  ['from=2020-10-01T00:00:00Z', 'not from an hour to a year'],
  ['from=yesterday', 'an instant, such as'],
  ['until=0001-01-01T00:00:00Z', 'begins before 1970'],
  ['from=0999-01-01&until=0999-02-01', 'begins before 1970'],
  ['until=9999-12-31', 'begins after now'],
  ['range=1y&until=2099-01-01', 'begins after now'],
  ['range=2h', 'one of 7d, 1h'],
  ['suspend_after=-1', 'a number'],
  ['cursor=abc', 'leave the cursor out'],
])('an address with %s gets a page that says what is possible', async (query, words) => {
  const { status, text } = await shown.get(`/projects/main/p1?${query}`);
  expect(status).toBe(400);
  expect(text).toContain(words);
});

test('an unknown project gets a page that offers the search', async () => {
  for (const path of [
    '/projects/main/nobody',
    '/projects/other/p1',
    `/projects/main/${encodeURIComponent('<b>')}`,
  ]) {
    const { status, text } = await shown.get(path);
    expect(status).toBe(404);
    expect(text).toContain('There is no such project');
    expect(text).toMatch(
      /<a href="\/projects\?q=[^"]*&amp;gone=all">Projects with &quot;[^<]*&quot; in their name or id<\/a>/,
    );
    expect(text).not.toContain('<b>"');
  }
});

test('hostile names are text and break nothing', async () => {
  const { status, text } = await shown.get('/projects/main/p%2F2?range=24h', { showsPersonal: true });
  expect(status).toBe(200);
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('\u202e');
  expect(text).not.toMatch(/ style=| on[a-z]+="/);
  expect(text.length).toBeLessThan(60_000);
  const { timeline } = await shown.json('/projects/main/p%2F2?range=24h');
  expect(timeline.failed_operations).toHaveLength(1);
});

test('without prices there are hours alone', async () => {
  const plain = await openConsole({ file: folder.file, now });
  const { use, findings, what_if } = await plain.json('/projects/main/p1?suspend_after=300');
  expect(use).toMatchObject({ currency: null, pending: [], total: { cost: null } });
  expect(findings.findings[0].cost_per_month).toBeNull();
  expect(what_if.currency).toBeNull();
  expect((await plain.get('/projects/main/p1')).text).not.toContain('<h3>Cost</h3>');
  plain.close();
});

test('projects and findings of an owner are asked for as those of a group are', async () => {
  const owned = await openConsole({ file: folder.file, now, yaml: 'groups: {customer: {by: owner}}' });
  const { choices } = await owned.json('/projects', { showsPersonal: true });
  expect(choices.groups[0].groups).toContain('person-7');
  const { projects } = await owned.json('/projects?group=customer/person-7', { showsPersonal: true });
  expect(projects.map(({ project_id }: { project_id: string }) => project_id)).toEqual(['p1']);
  expect((await owned.json('/projects?group=customer/nobody', { showsPersonal: true })).projects).toEqual([]);
  expect((await owned.get('/projects?group=team/person-7', { showsPersonal: true })).status).toBe(400);
  const { groups, findings } = await owned.json('/findings', { showsPersonal: true });
  expect(groups).toEqual(['customer/person-7']);
  const asked = await owned.json('/findings?group=customer/person-7', { showsPersonal: true });
  expect(asked.findings).toEqual(findings);
  expect(asked.findings).toHaveLength(1);
  expect((await owned.json('/findings?group=customer/nobody', { showsPersonal: true })).findings).toEqual([]);
  expect((await owned.json('/findings?group=person', { showsPersonal: true })).findings).toEqual(findings);
  expect((await owned.get('/findings?group=team/person-7', { showsPersonal: true })).status).toBe(400);
  expect((await owned.get('/findings?group=customer/person-7')).text).not.toContain('"customer/person-7"');
  owned.close();
});

test('the forecast of the project is that of its report, and that of the account where nothing else is used', async () => {
  const { forecast } = await shown.json('/projects/main/p1');
  const report = await shown.report('forecast', { project: 'main/p1' });
  const [cost, hours] = readRows<'forecast'>(report);
  expect(forecast.pending).toBe(false);
  expect(forecast.notes).toEqual(report.notes);
  expect(forecast.quantities.map(({ what }: { what: string }) => what)).toEqual(['cost', 'compute_hours']);
  for (const [index, row] of [cost, hours].entries()) {
    expect(forecast.quantities[index]).toMatchObject({
      ...{ so_far: row?.so_far, expected: row?.expected },
      bounds: { low80: row?.low80, high95: row?.high95 },
    });
  }
  const { forecasts } = await shown.json('/cost');
  expect(forecast.quantities[1]).toMatchObject({
    expected: forecasts[0].compute_hours.expected,
    bounds: forecasts[0].compute_hours.bounds,
  });
  const { text } = await shown.get('/projects/main/p1');
  expect(text).toContain('expected at its end');
  expect(text).toMatch(
    /aria-label="€[\d.]+ so far; €[\d.]+ expected at the end of the billing period, four periods/,
  );
});

test('the first thing on the page is what runs, what it costs, and what could be saved', async () => {
  const { findings, forecast } = await shown.json('/projects/main/p1');
  const sum = (key: 'cost_per_month' | 'compute_hours_per_month') =>
    findings.findings.reduce(
      (total: number, each: Record<string, string | null>) => total + Number(each[key]),
      0,
    );
  expect(findings.findings.length).toBeGreaterThan(0);
  expect(findings.cost_per_month).toBe(sum('cost_per_month').toFixed(2));
  expect(findings.compute_hours_per_month).toBe(sum('compute_hours_per_month').toFixed(2));
  const { text } = await shown.get('/projects/main/p1');
  const figures = [...text.matchAll(/<div class="tile"><h2>(.*?)<\/h2><div class="v">(.*?)<\/div>/g)];
  const read = (markup: string) => markup.replaceAll(/<[^>]*>/g, '');
  expect(figures.slice(0, 3).map(([, title = '', figure = '']) => [read(title), read(figure)])).toEqual([
    ['State', '0 of 1 endpoint awake'],
    ['Cost of the billing period', `€${forecast.quantities[0].so_far}`],
    ['Likely saving', `€${findings.cost_per_month} a month`],
  ]);
  for (const id of ['endpoints', 'forecast', 'findings']) expect(text).toContain(`id="${id}"`);
});
