import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { CostBudget, CostSeries } from '../../../src/console/page/cost/cost-answer.ts';
import { readRows, readTotals } from '../../../src/console/report-row.ts';
import { recordClosed } from '../../../src/history/closing/closed-period.ts';
import { sumOf } from '../../../src/resources/sum.ts';
import { ClosedHistory, usualPrices } from '../../report/bill/closed-history.ts';
import { SmallHistory } from '../../report/small-history.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import { projectsReading, wireProject } from '../../support/reading-builder.ts';

const now = Date.parse('2026-11-02T00:00:10Z');
const budgets = `
budgets:
  - {name: shop, group: team/web, amount: 10, per: billing}
  - {name: all, account: main, compute_hours: 100, per: month}
`;

let small: SmallHistory;
let yaml: string;
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  small = new SmallHistory();
  yaml = readFileSync(small.configFile, 'utf8');
  shown = await openConsole({ file: small.file, now, yaml: yaml + budgets });
});
afterAll(() => {
  shown.close();
  small[Symbol.dispose]();
});

test('cost by day is that of the report, with what is missing in it', async () => {
  const { has_prices, cost } = await shown.json('/cost?period=2026-10&by=group');
  expect(has_prices).toBe(true);
  expect(cost).toMatchObject({ by: 'group', grouping: 'team', step: 'day', currency: 'EUR', cost: '19.51' });
  expect(cost.steps).toHaveLength(31);
  const spent = cost.steps.filter((step: { cost: string | null }) => step.cost !== null);
  expect(spent.map((step: { label: string; cost: string }) => [step.label, step.cost])).toEqual([
    ['2026-10-01', '13.54'],
    ['2026-10-05', '0.96'],
    ['2026-10-12', '0.51'],
    ['2026-10-20', '4.50'],
  ]);
  expect(
    cost.series.map(({ name, kind, cost: sum, no_cost }: Record<string, unknown>) => [
      name,
      kind,
      sum,
      no_cost,
    ]),
  ).toEqual([
    ['(minimum charge)', 'charge', '13.54', null],
    ['web', 'scope', '5.46', null],
    ['data', 'scope', '0.51', null],
    ['ungrouped', 'scope', null, 'unpriced'],
  ]);
  expect(cost.missing).toEqual([
    '2.00 compute hours are unpriced: no plan or price is for them, and the cost is without them.',
  ]);
  const { text } = await shown.get('/cost?period=2026-10&by=group');
  expect(text).toContain('aria-label="Cost by day and group in 2026-10: €19.51 in all');
  expect(text).toMatch(
    /Tue 20 Oct <b>€4\.50<\/b><\/span><span data-row="2"><svg.*?<\/svg>web <b>€4\.50<\/b>/,
  );
  expect(text).toContain('2.00 compute hours are unpriced');
});

test('what a project comes to is that of the undated report, and its days add up to it', async () => {
  using lived = new LivedHistory({ now: now / 1000 - 7200, projects: 6, historyDays: 20 });
  lived.watch(7200, { listEverySeconds: 3600, projectsEvery: 1 });
  const lives = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
  onTestFinished(() => lives.close());
  const { cost } = await lives.json('/cost?period=2026-10&by=project');
  const report = await lives.report('cost', { period: '2026-10', by: 'project' });
  const costs = new Map(readRows<'cost'>(report).map(row => [row.project_id, row.cost]));
  const series: { project_id: string; cost: string; cost_by_step: (string | null)[] }[] = cost.series;
  expect(series.map(each => each.cost)).toEqual(series.map(each => costs.get(each.project_id)));
  expect(cost.projects.map((each: { cost: string }) => each.cost)).toEqual(
    series.slice(0, 5).map(each => each.cost),
  );
  const ofDays = series.map(({ cost_by_step: days }) => days.reduce((sum, day) => sum + Number(day ?? 0), 0));
  expect(ofDays.map(sum => sum.toFixed(2))).toEqual(series.map(each => each.cost));
});

test('series of a closed period are what their steps come to, with what was found later and taken off', async () => {
  using closed = new ClosedHistory();
  await closed.run('close --period billing:2026-10 --anyway');
  closed.findLater();
  const prices = `${usualPrices}groups: {team: {web: {projects: [shop]}}}\n`;
  const own = await openConsole({ file: closed.file, now: closed.now, yaml: prices });
  onTestFinished(() => own.close());
  const sums = async (period: string) => {
    const { cost } = await own.json(`/cost?by=group&period=${period}`);
    const shownSeries: CostSeries[] = cost.series;
    for (const { name, cost: total, cost_by_step: costs, used_hours, hours_by_step: hours } of shownSeries) {
      expect(Number(total), name).toBeCloseTo(sumOf(costs.map(Number)), 9);
      expect(Number(used_hours), name).toBeCloseTo(sumOf(hours.map(Number)), 9);
    }
    return [cost, ...shownSeries].map(each => [each.name ?? 'all', each.cost, each.used_hours]);
  };
  expect(await sums('billing:2026-10')).toEqual([
    ['all', '15.00', '90.00'],
    ['web', '16.32', '102.00'],
    ['(minimum charge)', '0.60', '0.00'],
    ['(found later for 2026-10)', '-1.92', '-12.00'],
  ]);
  expect(await sums('2026-10..2026-11')).toEqual([
    ['all', '16.32', '90.00'],
    ['web', '16.32', '102.00'],
    ['(minimum charge)', '0.60', '0.00'],
    ['(found later for 2026-10)', '-0.60', '-12.00'],
  ]);
});

test('a period that goes on is beside as much of the one before', async () => {
  const during = await openConsole({ file: small.file, now: Date.parse('2026-11-11T12:00:00Z'), yaml });
  const { cost } = await during.json('/cost?by=group');
  expect(cost.before).toMatchObject({
    cost: '14.50',
    used_hours: (await during.json('/cost?period=2026-10-01..2026-10-11T12:00:00Z')).cost.used_hours,
    period: { label: 'before:billing' },
  });
  expect(cost.before.period.until).toBe('2026-10-11T12:00:00.000Z');
  expect(cost.steps_to_come.map(({ label }: { label: string }) => label)).toEqual(
    Array.from({ length: 20 }, (_, index) => `2026-11-${index + 11}`),
  );
  const { projects } = (await during.json('/cost?period=2026-10')).cost;
  expect(projects.map((each: { project_id: string }) => each.project_id)).toContain('p-shop');
  during.close();
  const at = Date.parse('2026-10-25T12:00:00Z');
  const october = await openConsole({ file: small.file, now: at, yaml });
  const { text } = await october.get('/cost?by=group');
  expect(text).toContain('>today</text>');
  october.close();
});

test('the days that a range has a part of are hatched, and say which part', async () => {
  const during = await openConsole({ file: small.file, now: Date.parse('2026-10-20T22:58:00Z'), yaml });
  onTestFinished(() => during.close());
  const { text } = await during.get('/cost?period=2026-10-05T09:30:00Z..2026-10-20T22:58:00Z');
  expect(text).toContain('<span class="of">Mon 5 Oct <i>from 09:30</i>');
  expect(text).toContain('<span class="of">Tue 20 Oct <i>today, so far</i>');
  expect(text).toContain('Mon 5 Oct, from 09:30</');
  expect(text).toContain('Tue 20 Oct, today, so far</');
  expect(text.match(/<rect class="unfinished"/g)).toHaveLength(2);
  const past = await during.get('/cost?period=2026-10-05..2026-10-13');
  expect(past.text).not.toContain('today, so far');
  expect(past.text).not.toContain('class="unfinished"');
});

test('a period that is known in part is nothing to compare with, and one of which nothing is known is not 0', async () => {
  const asked = '/cost?period=2026-10-02..2026-10-06';
  const { cost } = await shown.json(asked);
  expect(cost).toMatchObject({ known_from: null, before: { known_from: '2026-10-01T00:00:00.000Z' } });
  const { text } = await shown.get(asked);
  expect(text).not.toMatch(/[▲▼]/);
  expect(text).not.toMatch(/<th[^>]*>The period before</);
  expect(text).toContain('The period before is known only from 1 Oct on.');
  expect(text).toContain(
    'The period before, 2026-09-28 to 2026-10-01, is known only from 2026-10-01 on: nothing is compared with it.',
  );
  const [april, page] = [await shown.json('/cost?period=2026-04'), await shown.get('/cost?period=2026-04')];
  expect(april.cost).toMatchObject({ cost: null, used_hours: null });
  expect(page.text).toContain('What was used in this period is not known.');
  expect(page.text).toContain('Nothing of this period is known: use is known from 2026-10-01 on.');
  expect(page.text).not.toContain('€0');
});

test('a period that is over has its own budgets, as their report has them', async () => {
  const { past_budgets } = await shown.json('/cost?period=2026-10');
  const rows = readRows<'budgets'>(await shown.report('budgets', { period: '2026-10' }));
  expect(past_budgets.map((each: CostBudget) => [each.budget, each.limit, each.spent])).toEqual(
    rows.map(({ budget, limit, spent }) => [budget, limit, spent]),
  );
  expect(rows.map(({ budget }) => budget)).toEqual(['shop', 'all']);
  const { text } = await shown.get('/cost?period=2026-10');
  expect(text).toContain('Budgets, each in its own period');
  expect(text).toContain('group team/web, 1 Oct to 31 Oct');
  expect(text).not.toContain('Forecast of the billing period');
  expect((await shown.json('/cost')).past_budgets).toBeNull();
  const tight = `${yaml}budgets: [{name: tight, account: main, amount: 5, per: billing}]`;
  const over = await openConsole({ file: small.file, now, yaml: tight });
  const lead = /The budget of €5\.00: <strong>over by €\d+\.\d\d, used up on \d+ Oct<\/strong>/;
  expect((await over.get('/cost?period=last-billing')).text).toMatch(lead);
  over.close();
});

test('a budget whose period goes on stands in days of it that are over as it stands in all of it', async () => {
  using lived = new LivedHistory({ now: now / 1000 - 7200, projects: 6, historyDays: 40 });
  lived.watch(7200, { listEverySeconds: 3600, projectsEvery: 1 });
  const prices = yaml.replace('pricing:', 'pricing:\n  billing_period: {anchor_day: 20}');
  const budget = 'budgets: [{name: hours, account: main, compute_hours: 900, per: billing}]';
  const own = await openConsole({ file: lived.folder.file, now: lived.now, yaml: `${prices}${budget}` });
  onTestFinished(() => own.close());
  const days = '/cost?period=2026-10-20..2026-10-25';
  const [{ past_budgets }, { budgets: standing }] = [await own.json(days), await own.json('/cost')];
  expect(past_budgets).toEqual(standing);
  expect(past_budgets).toMatchObject([{ projected: expect.stringMatching(/^\d+\.\d+$/) }]);
  const { text } = await own.get(days);
  expect(text).toContain('account main, 20 Oct to 19 Nov');
  expect(text).toContain(' expected, 4 periods in 5 from ');
  expect(text).not.toContain('Too little is known for a forecast.');
  expect(text).not.toContain('The budget of ');
});

test('what a project came to before is its own, also where it was among the others then, and the others add up', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  // The dearest on the second day were the cheapest on the first; the last one is new on the second.
  const used = (project: number) => [0, 3600 * (26 - project), 3600 * (26 + project)];
  for (const [day, at] of [
    '2026-10-01T00:00:00Z',
    '2026-10-02T00:00:00Z',
    '2026-10-03T00:00:00Z',
  ].entries()) {
    const projects = Array.from({ length: 25 }, (_, project) =>
      wireProject(`p${project}`, {
        ...{ created_at: '2026-10-01T00:00:00Z', cpu_used_sec: used(project)[day] },
      }),
    );
    const young = wireProject('young', { created_at: '2026-10-02T00:00:00Z', cpu_used_sec: 3600 * 99 });
    history.commitOne(projectsReading(Date.parse(at), day < 2 ? projects : [...projects, young]));
  }
  folder.close(history);
  const many = await openConsole({ file: folder.file, now: Date.parse('2026-10-03T00:00:10Z') });
  onTestFinished(() => many.close());

  const path = '/cost?period=2026-10-02&by=project';
  const { series, before } = (await many.json(path)).use;
  const hours = series.map((each: CostSeries) => [
    each.name,
    Number(each.used_hours),
    each.before === null ? null : Number(each.before.used_hours),
  ]);
  expect(hours.slice(0, 3)).toEqual([
    ['name of young', 99, null],
    ['name of p24', 48, 2],
    ['name of p23', 46, 3],
  ]);
  expect(hours.at(-1)).toEqual(['(others)', 30, 141]);
  expect(sumOf(hours.map(([, , was]: [string, number, number | null]) => was ?? 0))).toBe(
    Number(before.used_hours),
  );
  const { text } = await many.get(path);
  expect(text.match(/>new</g)).toHaveLength(1);
});

test('what is to come of the running week is of that week', async () => {
  const wednesday = Date.parse('2026-11-04T12:00:00Z');
  const running = await openConsole({ file: small.file, now: wednesday, yaml });
  onTestFinished(() => running.close());
  const { steps, steps_to_come } = (await running.json('/cost?period=this-month&step=week')).cost;
  expect(steps.map((step: { label: string }) => step.label)).toEqual(['2026-11-01', '2026-11-02']);
  expect(steps_to_come.slice(0, 2)).toEqual([
    { label: '2026-11-02', from: '2026-11-04T12:00:00.000Z', until: '2026-11-09T00:00:00.000Z' },
    { label: '2026-11-09', from: '2026-11-09T00:00:00.000Z', until: '2026-11-16T00:00:00.000Z' },
  ]);
});

test('full days are told beside the pace of the budget, and when that is used up', async () => {
  const at = Date.parse('2026-11-11T12:00:00Z');
  using lived = new LivedHistory({ now: at / 1000 - 7200, projects: 6, historyDays: 20 });
  lived.watch(7200, { listEverySeconds: 3600, projectsEvery: 1 });
  const sayOf = async (budget: string) => {
    const setting = { file: lived.folder.file, now: lived.now, yaml: `${yaml}budgets: [${budget}]` };
    const lives = await openConsole(setting);
    onTestFinished(() => lives.close());
    const { text } = await lives.get('/cost');
    expect(text).toMatch(/>budget, €[\d.]+ a day<\/li>/);
    const bare = text.replaceAll(/<.*?>/g, '');
    const ofCard = /(?:Used up since|Will be used up on) (\d+ \w+, \d\d:\d\d)\. /.exec(bare);
    const ofHead = /used up on (\d+ \w+, \d\d:\d\d)\./.exec(bare);
    expect(ofCard?.[1]).toBe(ofHead?.[1]);
    return /<h1>Cost<\/h1><p>(.*?) <span>/.exec(text)?.[1]?.replaceAll(/<.*?>/g, '');
  };
  const full = 'By team and day. Full days cost €8.93 on average,';
  expect(await sayOf('{name: spent, account: main, amount: 30, per: billing}')).toBe(
    `${full} €7.93 above the pace of the budget of €30.00; it was used up on 4 Nov, 12:27.`,
  );
  expect(await sayOf('{name: tight, account: main, amount: 150, per: billing}')).toContain(
    `${full} €3.93 above the pace of the budget of €150.00; it will be used up on `,
  );
  expect(await sayOf('{name: wide, account: main, amount: 5000, per: billing}')).toBe(
    `${full} €157.74 below the pace of the budget of €5,000.00.`,
  );
});

test('of one step there is no average and no row of steps, and a part of it is beside the same time before', async () => {
  const at = Date.parse('2026-11-11T12:00:00Z');
  using lived = new LivedHistory({ now: at / 1000 - 7200, projects: 6, historyDays: 45 });
  lived.watch(7200, { listEverySeconds: 3600, projectsEvery: 1 });
  const lives = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
  onTestFinished(() => lives.close());
  const [days, day, today] = await Promise.all(
    ['billing', '2026-11-10', '2026-11-11'].map(
      async period => (await lives.get(`/cost?period=${period}`)).text,
    ),
  );
  for (const words of ['Average full day', 'Each day']) {
    expect(days).toContain(words);
    expect(day).not.toContain(words);
    expect(today).not.toContain(words);
  }
  expect(days).toContain('</a> than in the same days before');
  expect(days).toMatch(/<th[^>]*>The same days before</);
  expect(day).toMatch(/<th[^>]*>The period before</);
  expect(day).toContain('</a> than in the period before');
  expect(today).toContain('</a> than in the same time before');
  expect(day).toMatch(
    /<h2>The period before<.*<p class="x"><a href="\/cost\?period=2026-11-09">2026-11-09<\/a>/,
  );
  expect(today).toMatch(
    /<h2>The same time before<.*<p class="x">first part of <a href="\/cost\?period=2026-11-10">2026-11-10<\/a>/,
  );
  expect(today).toContain('change against the same time before');
});

test('the average full week is that of whole weeks that are known', async () => {
  const { cost } = await shown.json('/cost?period=2026-Q4&step=week');
  const whole = cost.steps.filter((step: { is_whole: boolean }) => step.is_whole);
  expect(whole.map((step: { label: string; cost: string | null }) => [step.label, step.cost])).toEqual([
    ['2026-10-05', '0.96'],
    ['2026-10-12', '0.51'],
    ['2026-10-19', '4.50'],
    ['2026-10-26', null],
  ]);
  const { text } = await shown.get('/cost?period=2026-Q4&step=week');
  expect(text).toMatch(/Average full week<\/h2><div class="v"><span>€1<span class="c">\.49</);
});

test('lines of a bill are named with their price, and have no hours', async () => {
  const { cost } = await shown.json('/cost?period=2026-10&by=line');
  expect(cost.series.map(({ name }: { name: string }) => name)).toEqual([
    'minimum charge, scale',
    'compute, scale, €0.15',
    'compute, scale, €0.16',
    'compute, azure, $0.1',
    'compute',
  ]);
  const { text } = await shown.get('/cost?period=2026-10&by=line');
  expect(text).toContain('<h2>Average full day</h2>');
  expect(text).not.toContain('<h2>Compute hours</h2>');
});

test('without prices hours come first, by use', async () => {
  const free = await openConsole({ file: small.file, now });
  const { cost, use } = await free.json('/cost?period=2026-10');
  expect(cost).toBeNull();
  expect(use).toMatchObject({ currency: null, cost: null, by: 'project' });
  const hours = use.series.map(({ used_hours }: { used_hours: string }) => Number(used_hours));
  expect(hours.length).toBeGreaterThan(1);
  expect(hours).toEqual(hours.toSorted((a: number, b: number) => b - a));
  // There is no bill whose lines could be asked for.
  expect((await free.json('/cost?period=2026-10&by=line')).use).toEqual(use);
  const report = await free.report('usage', { period: '2026-10', by: 'project' });
  expect(use.used_hours).toBe(readTotals<'usage'>(report)?.compute_hours);
  const { text } = await free.get('/cost?period=2026-10');
  expect(text).toContain('Compute hours of each day, by');
  free.close();
});

test('a group leads to its projects, also those that are gone', async () => {
  const { text } = await shown.get('/cost?period=2026-10&by=group');
  const leads = [...text.matchAll(/href="(\/projects\?[^"]*)">([^<]*)</g)].map(([, href = '', name]) => ({
    href: href.replaceAll('&amp;', '&'),
    name,
  }));
  expect(leads.map(({ name }) => name)).toEqual(['web', 'data', 'web', 'data', 'ungrouped']);
  for (const { href, name } of leads) {
    const { projects } = await shown.json(href);
    expect(projects.length).toBeGreaterThan(0);
    for (const { groups } of projects) expect(groups).toMatchObject({ team: name });
  }
});

test('bars are of days, weeks or months, as long as the period is', async () => {
  const stepOf = async (period: string) => (await shown.json(`/cost?period=${period}`)).cost.step;
  expect(await stepOf('2026-10')).toBe('day');
  expect(await stepOf('2026')).toBe('week');
  expect(await stepOf('2024-01-01..2026-11-01')).toBe('month');
});

test('days that are in the wrong order can be picked anew, and all else of the address stays', async () => {
  for (const days of ['period=2026-10-20..2026-10-05', 'from=2026-10-20&to=2026-10-04']) {
    const { status, text } = await shown.get(`/cost?step=week&${days}`);
    expect(status).toBe(400);
    expect(text).toContain('<a href="/cost?step=week&amp;period=billing">This period</a>');
    const [form = ''] = /<form class="days".*?<\/form>/s.exec(text) ?? [];
    expect(form).toContain('<input type="hidden" name="step" value="week"/>');
    expect(form).toContain('name="from" value="2026-10-20"');
    expect(form).toContain('name="to" value="2026-10-04"');
  }
  expect((await shown.get('/cost?account=nobody')).text).not.toContain('class="days"');
});

test('a period that is none gets a page with the words that are', async () => {
  for (const path of ['/cost', '/cost/invoice', '/cost/why']) {
    const { status, text } = await shown.get(`/api/v1${path}?period=sometime`);
    expect(status).toBe(400);
    const problem = JSON.parse(text);
    expect(problem.detail).toContain('"sometime" is no period');
    expect(problem.possible).toEqual(expect.arrayContaining(['billing', 'last-30d', 'billing:2026-10']));
    expect((await shown.get(`${path}?period=sometime`)).text).toContain('There is no such period');
  }
  expect((await shown.get('/cost?account=nobody')).status).toBe(400);
  expect((await shown.get('/cost?step=day&period=2020-01-01..2026-11-01')).text).toContain(
    'at most are shown',
  );
});

test('budgets stand as the metrics show them, and add up by day', async () => {
  const { budgets: shownBudgets } = await shown.json('/cost');
  const standing = shown.usage()?.budgets ?? [];
  expect(standing).toHaveLength(2);
  for (const [index, { budget, limit, spent }] of standing.entries()) {
    expect(shownBudgets[index]).toMatchObject({ budget, limit: limit.toFixed(2), spent: spent.toFixed(2) });
  }
  const october = await openConsole({
    file: small.file,
    now: Date.parse('2026-11-01T00:00:00Z') - 1,
    yaml: yaml + budgets,
  });
  const [shop, all] = (await october.json('/cost')).budgets;
  expect(shop.by_day.map(({ day, spent }: { day: string; spent: string }) => [day, spent])).toEqual([
    ['2026-10-05', '0.96'],
    ['2026-10-20', '5.46'],
  ]);
  expect(all.by_day.at(-1)).toMatchObject({ day: '2026-10-20', spent: '47.50' });
  october.close();
});

test('a page and a file are of the accounts of the configuration, as the command is', async () => {
  const other = await openConsole({ file: small.file, now, yaml, accounts: ['other'] });
  for (const path of ['/cost?period=2026-10', '/reports/cost?period=2026-10&format=csv']) {
    const { status, text } = await other.get(`/api/v1${path}`);
    expect([status, text.includes('p-shop')]).toEqual([503, false]);
    expect(JSON.parse(text).detail).toBe('Account other is being read for the first time.');
  }
  other.close();
  const both = await openConsole({ file: small.file, now, yaml, accounts: ['main', 'other'] });
  const { cost } = await both.json('/cost?period=2026-10');
  expect(cost).toMatchObject({ cost: '19.51', missing: expect.arrayContaining([expect.any(String)]) });
  expect(cost.missing).toContain('Nothing is known of account other yet.');
  both.close();
});

test('before they were worked out, budgets and forecasts are said to come', async () => {
  const { text } = await shown.get('/cost');
  expect(text).not.toContain('still being worked out');
  const early = await openConsole({ file: small.file, now, yaml: yaml + budgets, isWorkedOut: false });
  expect(await early.json('/cost')).toMatchObject({ is_outlook_known: false, budgets: [], forecasts: [] });
  expect((await early.get('/cost')).text).toContain('still being worked out');
  early.close();
});

test('a file is what the command writes, byte for byte', async () => {
  for (const [flags, query, name] of [
    ['--by line --format csv', 'by=line&format=csv', 'cost-2026-10-line.csv'],
    ['--by project --format json', 'by=project&format=json', 'cost-2026-10-project.json'],
    ['--by group --step day --format csv', 'by=group&step=day&format=csv', 'cost-2026-10-group.csv'],
    ['--format focus', 'format=focus', 'cost-2026-10.focus.csv'],
    ['--format focus --focus-version 1.2', 'format=focus&focus_version=1.2', 'cost-2026-10.focus.csv'],
  ]) {
    const { stdout } = await small.report(`cost --period 2026-10 ${flags}`, { now });
    for (const root of ['', '/api/v1']) {
      const { status, headers, text } = await shown.get(`${root}/reports/cost?period=2026-10&${query}`);
      expect(status).toBe(200);
      expect(text).toBe(stdout);
      expect(headers['Content-Disposition']).toBe(`attachment; filename="${name}"`);
      expect(headers['X-Content-Type-Options']).toBe('nosniff');
    }
  }
  const why = await small.report('why --period 2026-10 --format csv', { now });
  expect((await shown.get('/reports/why?period=2026-10&format=csv')).text).toBe(why.stdout);
});

test('a file that there is not is a problem with what is possible', async () => {
  expect((await shown.get('/reports/colours?format=csv')).status).toBe(404);
  expect((await shown.get('/reports/keys?format=focus')).status).toBe(400);
  expect((await shown.get('/reports/cost?format=html')).status).toBe(400);
  expect((await shown.get('/reports/cost?format=csv&by=colour')).status).toBe(400);
  expect((await shown.get('/reports/cost?format=csv&by=owner')).status).toBe(400);
  expect((await shown.get('/reports/cost?format=csv&by=owner', { showsPersonal: true })).status).toBe(200);
});

test('the invoice has the lines of the report, and says of which billing period, price book and exchange rate', async () => {
  const { invoice } = await shown.json('/cost/invoice?period=billing:2026-10');
  const report = await shown.report('cost', { period: 'billing:2026-10', by: 'line' });
  expect(invoice.total).toBe(report.totals?.at(-1));
  expect(invoice.lines.map(({ line, cost }: Record<string, unknown>) => [line, cost])).toEqual(
    readRows<'cost'>(report).map(row => [row.line, row.cost]),
  );
  expect(invoice).toMatchObject({
    fingerprint: report.fingerprint,
    exchange_rates: [{ currency: 'USD', from: '2026-01-01T00:00:00.000Z', rate: '0.92' }],
    billing_periods: [{ account: 'main', billing_period: '2026-10', state: 'open', closed_at: null }],
  });
  const { text } = await shown.get('/cost/invoice?period=billing:2026-10');
  expect(text).toContain('Invoice of the billing period 2026-10');
  expect(text).toContain('1 USD is 0.92 EUR');
  expect((await shown.json('/cost/invoice?period=billing')).invoice.billing_periods[0].state).toBe('running');
});

test.each([
  ['last-month', 'Charges of 2026-10-01 to 2026-10-31', '2026-10-01T00:00', '2026-11-01T00:00', []],
  [
    'last-2d',
    'Charges of 2026-10-31 00:00 until 2026-11-02 00:00 UTC',
    '2026-10-31T00:00',
    '2026-11-02T00:00',
    [],
  ],
  [
    'billing',
    'Invoice of the billing period 2026-10-30 to 2026-11-29',
    '2026-10-30T00:00',
    '2026-11-02T00:00',
    ['running'],
  ],
  [
    'last-billing',
    'Invoice of the billing period 2026-09-29 to 2026-10-29',
    '2026-09-29T00:00',
    '2026-10-30T00:00',
    ['open'],
  ],
  [
    '2026-09-29..2026-11-30',
    'Invoice of 2 billing periods, 2026-09-29 to 2026-11-29',
    '2026-09-29T00:00',
    '2026-11-02T00:00',
    ['open', 'running'],
  ],
])(
  'the invoice of %s is called and badged by the period that its figures are of',
  async (period, title, from, until, states) => {
    const moved = yaml.replace('pricing:', 'pricing:\n  billing_period: {hours: 744, from: 2026-10-30}');
    const own = await openConsole({ file: small.file, now, yaml: moved });
    const { invoice } = await own.json(`/cost/invoice?period=${period}`);
    const report = await own.report('cost', { period, by: 'line' });
    expect([invoice.title, invoice.period.from.slice(0, 16), invoice.period.until.slice(0, 16)]).toEqual([
      title,
      from,
      until,
    ]);
    expect(invoice.billing_periods.map(({ state }: { state: string }) => state)).toEqual(states);
    expect([invoice.period.from, invoice.period.until]).toEqual(
      [report.period.fromAt, report.period.untilAt].map(at => new Date(at).toISOString()),
    );
    expect(invoice.total).toBe(readTotals<'cost'>(report)?.cost ?? null);
    const { text } = await own.get(`/cost/invoice?period=${period}`);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect([...text.matchAll(/class="pill[ a-z]*">(\w+)</g)].map(([, badge]) => badge)).toEqual(states);
    // What a link says is for people.
    expect(text).not.toMatch(/>[^<]*\dT\d\d:[^<]*<\/a>/);
    own.close();
  },
);

test('a closed billing period says when, and with which price book', async () => {
  using own = new SmallHistory();
  const closed = await openConsole({ file: own.file, now, yaml });
  const [fromAt, untilAt] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)];
  const closedAt = Date.parse('2026-11-01T12:00:00Z');
  const bill = { account: 'main', fromAt, untilAt, closedAt, fingerprint: 'a'.repeat(64) };
  recordClosed(own.file, [{ ...bill, priceBook: '{}', lines: '[]', accepted: [] }]);
  const { invoice } = await closed.json('/cost/invoice?period=billing:2026-10');
  expect(invoice.billing_periods).toEqual([
    {
      ...{ account: 'main', billing_period: '2026-10', state: 'closed' },
      ...{ closed_at: '2026-11-01T12:00:00.000Z', fingerprint: 'a'.repeat(64) },
    },
  ]);
  closed.close();
});

test('why the cost changed is what the report says', async () => {
  const { why } = await shown.json('/cost/why?period=2026-10');
  const report = await shown.report('why', { period: '2026-10' });
  expect(why).toMatchObject({ cost: '19.51', cost_before: '0.00', summary: report.summary });
  expect(why.causes.map(({ cause, difference }: Record<string, unknown>) => [cause, difference])).toEqual(
    readRows<'why'>(report).map(row => [row.cause, row.difference]),
  );
  const [period, against] = ['2026-10-08..2026-10-15', '2026-10-01..2026-10-08'];
  const { text } = await shown.get(`/cost/why?period=${period}&against=${against}`);
  const known = await shown.report('why', { period, against });
  // People read the last day of a period.
  const [days, daysBefore] = ['2026-10-08 to 2026-10-14', '2026-10-01 to 2026-10-07'];
  expect(known.summary?.[0]).toContain(` less in ${days} than in ${daysBefore}: `);
  for (const sentence of known.summary ?? []) expect(text).toContain(sentence);
  expect(text).toContain(`<div class="v">€${known.against?.before}</div>`);
});

test('before the history begins the cost is not known, and not nothing', async () => {
  const { text } = await shown.get('/cost/why?period=2026-10&against=2026-09');
  expect(text).toContain('<h2>Compared with</h2><div class="v">not known</div>');
  expect(text).toContain('known only from 2026-10-01 00:00 on.');
  expect(text).toContain('class="warn">Too little is known to compare the two periods.');
  expect(text).toContain('<a href="/projects/main/p-shop">shop</a>');
  expect(text).not.toContain('(new)');
  expect(text).not.toContain('more in 2026-10');
  expect(text).not.toContain('€0.00');
});

test('without prices nothing costs, and there is no file of it', async () => {
  const free = await openConsole({ file: small.file, now });
  for (const path of ['/cost', '/cost/invoice', '/cost/why'])
    expect(await free.json(path)).toMatchObject({ has_prices: false });
  expect((await free.get('/reports/cost?format=csv')).status).toBe(400);
  free.close();
});

test('a name from the service is text, whatever it holds', async () => {
  const { text } = await shown.get('/cost?period=2026-10&by=project');
  expect(text).toContain('>=dw | "x"\nsecond line</a>'.replaceAll('"', '&quot;'));
});
