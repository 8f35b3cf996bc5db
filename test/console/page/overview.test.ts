import { renderToString } from 'preact-render-to-string';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveState } from '../../../src/console/live-state.ts';
import type { OverviewAnswer, Trouble } from '../../../src/console/page/overview/overview-answer.ts';
import { drawOverview } from '../../../src/console/page/overview/overview-drawing.ts';
import { describeHead, rankTroubles, sayState } from '../../../src/console/page/overview/overview-state.ts';
import { describeSpending } from '../../../src/console/page/overview/spending.ts';
import type { ProjectsAnswer } from '../../../src/console/page/project-index/projects-answer.ts';
import { joinSteps } from '../../../src/console/part/chart/step.ts';
import { readRows, readTotals } from '../../../src/console/report-row.ts';
import { amountOf, showAmount, subtractAmounts, sumAmounts } from '../../../src/cost/money/money.ts';
import { deleteProject, liveProjects } from '../../../src/simulator/model/account.ts';
import { recordOperation } from '../../../src/simulator/model/operation.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { sampleUse } from '../../support/sample-usage.ts';

const yaml = `
pricing:
  currency: EUR
  plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]
budgets:
  - {name: small, account: main, amount: 0.5, per: billing}
  - {name: large, account: main, amount: 1000000, per: billing}
keys: {stale_after: 30d}
`;
const hostile = `<script>alert(1)</script>"'&\u202e${'x'.repeat(10_000)}`;
const hour = 3600;

const lived = new LivedHistory({
  now: Date.UTC(2026, 10, 12) / 1000,
  projects: 3,
  historyDays: 18,
  showcase: true,
});
let shown: Awaited<ReturnType<typeof openConsole>>;
const failed = { action: 'apply_config', runsAt: 0, failuresCount: 1 } as const;

beforeAll(async () => {
  lived.watch(2 * hour, { listEverySeconds: hour, projectsEvery: 1 });
  const [first, second, third] = liveProjects(lived.account);
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few projects');
  Object.assign(first, { name: hostile });
  const branchId = first.branches[0]?.id ?? '';
  for (const status of ['failed', 'error', 'cancelled', 'skipped'])
    recordOperation(first, { ...failed, status, branchId });
  recordOperation(second, { ...failed, status: 'running', branchId });
  deleteProject(third);
  lived.watch(2 * hour, { listEverySeconds: hour, projectsEvery: 1 });
  shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
});
afterAll(() => {
  shown.close();
  lived[Symbol.dispose]();
});

const read = async (from = shown): Promise<OverviewAnswer> => from.json('/overview');
const troubleOf = ({ troubles }: OverviewAnswer, kind: string) => troubles.find(each => each.kind === kind);

describe('what is wrong', () => {
  test('operations that failed in the last day are counted as the report counts them', async () => {
    const { rows, columns } = await shown.report('operations', { period: 'last-24h' });
    const at = columns.findIndex(({ key }) => key === 'failed');
    const count = rows.reduce((sum, row) => sum + Number(row[at]), 0);
    expect(count).toBeGreaterThan(2);
    const trouble = troubleOf(await read(), 'operations_failed');
    expect(trouble).toMatchObject({ count, href: '/operations?status=failed' });
    expect(trouble?.examples).toHaveLength(3);
  });

  test('an operation that goes on for more than an hour is stuck, with its own page', async () => {
    const trouble = troubleOf(await read(), 'operations_stuck');
    const second = liveProjects(lived.account).find(({ operations }) =>
      operations.some(each => each.status === 'running' && each.runsAt === 0),
    );
    expect(trouble?.examples.map(({ href }) => href)).toContainEqual(
      expect.stringMatching(`^/operations/main/${second?.id}/[^/]+$`),
    );
  });

  test('budgets that are used up are told with how far, those that are not are not', async () => {
    const answer = await read();
    const budget = shown.usage()?.budgets.find(each => each.budget === 'small');
    const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
    expect(troubleOf(answer, 'budget_over')).toMatchObject({
      count: 1,
      summary: 'A budget is used up.',
      examples: [{ text: 'small', detail: expect.stringContaining(percent.format(budget?.usedRatio ?? 0)) }],
      names: [{ text: 'small', detail: 'since', at: new Date(budget?.exhaustedAt ?? 0).toISOString() }],
    });
    expect(troubleOf(answer, 'budget_at_risk')).toBeUndefined();
  });

  test('keys that nobody uses are as many as the report says', async () => {
    const { rows, columns } = await shown.report('keys', {});
    const cell = (row: (typeof rows)[number], wanted: string) =>
      row[columns.findIndex(({ key }) => key === wanted)];
    const stale = rows.filter(row => cell(row, 'stale') === true);
    const never = stale.filter(row => typeof cell(row, 'last_used_at') !== 'number').length;
    expect(never).toBeGreaterThan(0);
    expect(troubleOf(await read(), 'keys_stale')).toMatchObject({
      count: stale.length,
      headline: expect.stringMatching(/ API keys are stale$/),
      summary: `${stale.length} API keys were not used for 30 days, ${never} of them never.`,
      more_names: stale.length - 3,
    });
  });

  test('accounts that cannot be read, collectors that fail and imports are told as the daemon knows them', async () => {
    const live = await openConsole({ file: lived.folder.file, now: lived.now, yaml, live: troubledState });
    const answer = await read(live);
    expect(answer.troubles.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        ...['key_refused', 'account_unreadable', 'polling_stalled', 'collector_failing', 'reload_failed'],
        ...['problem_lasting', 'importing'],
      ]),
    );
    expect(troubleOf(answer, 'collector_failing')?.examples).toMatchObject([{ text: 'operations of main' }]);
    expect(troubleOf(answer, 'problem_lasting')?.examples).toMatchObject([{ text: 'the key file, main' }]);
    // A cause is no event that was some time ago.
    expect(troubleOf(answer, 'importing')?.examples).toMatchObject([
      { detail: '3 of 7 projects left', at: null },
    ]);
    live.close();
  });
});

test('endpoints by state are those of the service', async () => {
  const { running } = await read();
  const present = liveProjects(lived.account).flatMap(({ endpoints }) => endpoints);
  const live = present.filter(endpoint => endpoint.deletedAt === undefined);
  expect(running.endpoints).toBe(live.length);
  const active = running.states.find(({ state }) => state === 'active')?.endpoints ?? 0;
  expect(active).toBeGreaterThan(0);
  expect(running.active.length).toBeLessThan(5);
  expect(running.active_projects).toBe(running.active.length);
  expect(running.active.reduce((sum, { others }) => sum + 1 + others, 0)).toBe(active);
  expect(new Set(running.active.map(({ project_id }) => project_id)).size).toBe(running.active.length);
});

test('projects that are awake and not named are counted, with a link to all of them', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const at = lived.now - 3_600_000;
  const names = Array.from({ length: 9 }, (_, index) => `p${index}`);
  history.commitOne(
    projectsReading(
      at,
      names.map(name => wireProject(name)),
    ),
  );
  for (const project_id of names) {
    const state = { project_id, current_state: project_id === 'p8' ? 'idle' : 'active' };
    const endpoints = ['a', 'b'].map(id => wireEndpoint(`ep-${project_id}-${id}`, state));
    history.commitOne(projectReading(at, project_id, { endpoints }));
  }
  folder.close(history);
  const one = await openConsole({ file: folder.file, now: lived.now });
  const { running } = await read(one);
  expect([running.active.length, running.active_projects]).toEqual([5, 8]);
  const { text } = await one.get('/');
  expect(text).toContain('16 of 18 endpoints</a> awake');
  expect(text).toContain('<a href="/projects?state=active">3 more projects</a></span></li></ul>');
  one.close();
});

test('cost, difference and findings are those of the reports, and the forecast that of the metrics', async () => {
  const { spending, saving, pending } = await read();
  const [cost, why, findings] = await Promise.all([
    shown.report('cost', { period: 'billing', by: 'account' }),
    shown.report('why', { period: 'billing' }),
    shown.report('findings', {}),
  ]);
  const { before, after } = why.against ?? { before: '', after: '' };
  const forecast = shown.usage()?.accounts[0]?.forecast?.cost;
  expect(pending).toEqual([]);
  expect(spending).toMatchObject({
    period: { from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
    currency: 'EUR',
    cost: readTotals<'cost'>(cost)?.cost,
    compute_hours: readTotals<'cost'>(cost)?.used_hours,
    expected: forecast?.expected.toFixed(2),
    accounts: [
      {
        account: 'main',
        forecast: { low80: forecast?.low80.toFixed(2), high80: forecast?.high80.toFixed(2) },
      },
    ],
    before: {
      cost: before,
      cost_now: after,
      difference: showAmount(subtractAmounts(amountOf(after), amountOf(before)), 2),
    },
  });
  expect(saving).toMatchObject({
    findings: findings.rows.length,
    cost_per_month: readTotals<'findings'>(findings)?.cost_per_month,
    most_cost_per_month: readTotals<'findings'>(findings)?.most_cost_per_month,
  });
  for (const key of ['cost_per_month', 'most_cost_per_month'] as const) {
    const all = readRows<'findings'>(findings).map(row => row[key] ?? null);
    expect(saving?.costliest.map(each => each[key])).toEqual(all.slice(0, 5));
  }
});

test('days and causes are those of the reports, and what is not told of causes is added up', async () => {
  const { spending } = await read();
  const [days, why] = await Promise.all([
    shown.report('cost', { period: 'billing', by: 'account', step: 'day' }),
    shown.report('why', { period: 'billing' }),
  ]);
  expect(spending?.by_day.map(({ cost }) => cost)).toEqual(
    readRows<'cost'>(days).map(row => row.cost ?? null),
  );
  // Today is one day, whose rest is to come, and each day of the period has one bar.
  const bars = joinSteps(spending?.by_day ?? [], spending?.days_to_come ?? []);
  const { from = '', until = '' } = spending?.period ?? {};
  expect([bars[0]?.from, ...bars.map(bar => bar.until)]).toEqual([...bars.map(bar => bar.from), until]);
  expect(bars).toHaveLength((Date.parse(until) - Date.parse(from)) / 86_400_000);
  const causes = readRows<'why'>(why).filter(row => row.level === 1);
  expect([why.against?.isComparable, spending?.moves]).toEqual([false, null]);
  const comparable = { ...why, ...(why.against && { against: { ...why.against, isComparable: true } }) };
  const { moves } = describeSpending({ use: days, days, why: comparable }, shown.config, undefined);
  const { largest = [], others, others_difference = '' } = moves ?? {};
  expect(largest.map(({ difference }) => difference)).toEqual(causes.slice(0, 5).map(row => row.difference));
  expect(others).toBe(causes.length - largest.length);
  const rest = causes.slice(5).map(row => amountOf(row.difference ?? '0'));
  expect(Number(others_difference)).toBe(Number(showAmount(sumAmounts(rest), 2)));
});

test('the title says the two worst of what is wrong, and what works again stands behind what does not', async () => {
  const trouble = (kind: Trouble['kind'], severity: Trouble['severity'], headline: string): Trouble => ({
    ...{ kind, severity, headline, count: 1, summary: '', remedy: [], href: '/', examples: [], when: null },
    ...{ names: [], more_names: 0, title: null },
    action: { label: '', href: '/' },
  });
  const ranked = rankTroubles([
    trouble('importing', 'info', 'The past is being read'),
    trouble('operations_failed', 'warning', 'An operation failed and has worked since'),
    trouble('keys_stale', 'warning', 'Five API keys are stale'),
    trouble('budget_at_risk', 'warning', 'A budget runs out tomorrow'),
    trouble('operations_stuck', 'critical', 'Two operations are stuck'),
  ]);
  expect(ranked.map(({ kind }) => kind)).toEqual([
    ...['operations_stuck', 'budget_at_risk', 'operations_failed', 'keys_stale', 'importing'],
  ]);
  const say = (troubles: Trouble[], pending: string[] = []) =>
    sayState({
      ...nothingElse,
      rests_on: { is_whole: true, accounts: [] },
      running: nothingRuns,
      spending: null,
      troubles,
      pending,
    });
  expect(say(ranked)).toBe('Two operations are stuck, and a budget runs out tomorrow');
  expect(say(ranked.slice(3))).toBe('Five API keys are stale');
  expect(say(ranked.slice(2))).toBe('An operation failed and has worked since');
  expect(say(ranked.filter(({ kind }) => kind !== 'budget_at_risk'))).toBe('Two operations are stuck');
  const some = trouble(
    'operations_failed',
    'critical',
    'Six operations failed; the start of Shop has not succeeded since',
  );
  const title = 'The start of Shop failed with no success since';
  expect(say([...ranked.slice(0, 1), { ...some, title }])).toBe(
    'Two operations are stuck, and the start of Shop failed with no success since',
  );
  expect(say([])).toBe('Nothing is wrong');
  expect(say([], ['forecast'])).toBe('Overview');
});

test('that figures are worked out now is said where all is read, and not while the past is still read', () => {
  const lead = (kinds: readonly Trouble['kind'][]) => {
    const troubles = kinds.map(kind => ({ kind, severity: 'info' }) as Trouble);
    const answer = {
      ...nothingElse,
      rests_on: null,
      running: { ...nothingRuns, projects: 3 },
      spending: null,
    };
    const { lead: said } = describeHead(
      { ...answer, troubles, pending: ['cost'] },
      { now: 0, staleAt: null, staleAccounts: [] },
    );
    return renderToString(said as Parameters<typeof renderToString>[0]);
  };
  expect(lead([])).toContain('The figures are being worked out now');
  expect(lead(['importing'])).not.toContain('worked out');
});

test('an operation that has worked since is told as such, and one that has not is not', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const at = lived.now - 3_600_000;
  const wire = (id: string, status: string, minutes: number) =>
    wireOperation(id, {
      status,
      action: 'start_compute',
      created_at: instant(at + minutes * 60_000),
      updated_at: instant(at + minutes * 60_000 + 1000),
    });
  const instant = (ms: number) => new Date(ms).toISOString();
  history.commitOne(projectsReading(at, [wireProject('p1')]));
  history.commitOne(projectReading(at + 60_000, 'p1', { operations: [wire('a', 'failed', 0)] }));
  const shownNow = async () => {
    const one = await openConsole({ file: folder.file, now: lived.now });
    const [failed] = (await read(one)).troubles.filter(({ kind }) => kind === 'operations_failed');
    one.close();
    return [failed?.severity, failed?.headline, failed?.title];
  };
  expect(await shownNow()).toEqual([
    ...['critical', 'The start of name of p1 failed with no success since', null],
  ]);
  const operations = [wire('b', 'finished', 5), wire('a', 'failed', 0)];
  history.commitOne(projectReading(at + 600_000, 'p1', { operations }));
  expect(await shownNow()).toEqual(['warning', 'An operation failed and has worked since', null]);
  const other = { ...wire('c', 'failed', 12), action: 'apply_config' };
  history.commitOne(projectReading(at + 900_000, 'p1', { operations: [other, ...operations] }));
  expect(await shownNow()).toEqual([
    ...['warning', 'Two operations failed; the change of settings of name of p1 has not succeeded since'],
    'The change of settings of name of p1 failed with no success since',
  ]);
  const elsewhere = [{ ...wire('d', 'failed', 13), action: 'apply_config' }];
  history.commitOne(projectsReading(at + 900_000, [wireProject('p1'), wireProject('p2')]));
  history.commitOne(projectReading(at + 960_000, 'p2', { operations: elsewhere }));
  expect(await shownNow()).toEqual([
    'warning',
    'Three operations failed; the change of settings of name of p2 and another one have not succeeded since',
    'The change of settings of name of p2 and another one failed with no success since',
  ]);
  folder.close(history);
});

test('a start that fails is told before a stuck check, a failed check of an unused endpoint keeps nobody out', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const minute = 60_000;
  const at = lived.now - 180 * minute;
  const instant = (minutes: number) => new Date(at + minutes * minute).toISOString();
  const wire = (id: string, endpoint_id: string, action: string, status: string, minutes: number) =>
    wireOperation(id, {
      endpoint_id,
      action,
      status,
      created_at: instant(minutes),
      updated_at: instant(minutes),
    });
  const identity = {
    endpoints: [
      wireEndpoint('ep-old', { project_id: 'identity', last_active: '2026-07-21T00:00:00Z' }),
      wireEndpoint('ep-used', { project_id: 'identity', last_active: instant(119) }),
    ],
    operations: [
      wire('check', 'ep-old', 'check_availability', 'failed', 60),
      wire('start', 'ep-used', 'start_compute', 'finished', 110),
    ],
  };
  const stuck = {
    endpoints: [wireEndpoint('ep-stuck', { project_id: 'mail' })],
    operations: [wire('hangs', 'ep-stuck', 'check_availability', 'running', 0)],
  };
  history.commitOne(
    projectsReading(
      at,
      ['identity', 'mail', 'shop', 'shown'].map(name => wireProject(name, { name })),
    ),
  );
  history.commitOne(projectReading(at + 120 * minute, 'identity', identity));
  history.commitOne(projectReading(at + 120 * minute, 'mail', stuck));
  const shownNow = async () => {
    const one = await openConsole({ file: folder.file, now: lived.now });
    const { troubles } = await read(one);
    const { projects }: ProjectsAnswer = await one.json('/projects');
    const told = {
      title: /<h1[^>]*>(.*?)<\/h1>/.exec((await one.get('/')).text)?.[1],
      troubles: troubles.map(({ kind, severity }) => `${kind} ${severity}`),
      marks: Object.fromEntries(projects.map(({ project_id, trouble }) => [project_id, trouble])),
    };
    one.close();
    return told;
  };
  expect(await shownNow()).toEqual({
    title: 'An operation is stuck',
    troubles: ['operations_stuck critical', 'operations_failed warning'],
    marks: { identity: 'check_failed', mail: 'stuck', shop: null, shown: null },
  });
  for (const [name, lastActive] of [
    ['shop', 100],
    ['shown', 119],
  ] as const)
    history.commitOne(
      projectReading(at + 120 * minute, name, {
        endpoints: [wireEndpoint(`ep-${name}`, { project_id: name, last_active: instant(lastActive) })],
        operations: [wire(name, `ep-${name}`, 'start_compute', 'failed', 115)],
      }),
    );
  folder.close(history);
  expect(await shownNow()).toEqual({
    title: 'The start of shop and two others failed with no success since, and an operation is stuck',
    troubles: ['operations_failed critical', 'operations_stuck critical'],
    // A client has used ep-shown since.
    marks: { identity: 'check_failed', mail: 'stuck', shop: 'failing', shown: 'operation_failed' },
  });
});

test('a line names the projects of what is wrong, with a few words each, and says how many more there are', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const minute = 60_000;
  const at = lived.now - 180 * minute;
  const wire = (id: string, status: string, minutes: number) => {
    const [created_at, updated_at] = [minutes, minutes + 1].map(each =>
      new Date(at + each * minute).toISOString(),
    );
    return wireOperation(id, { status, action: 'apply_config', created_at, updated_at });
  };
  const failures = { shop: 1, search: 3, identity: 1, billing: 2, mail: 1 };
  history.commitOne(
    projectsReading(
      at,
      Object.keys(failures).map(name => wireProject(name, { name })),
    ),
  );
  for (const [name, count] of Object.entries(failures)) {
    const operations = Array.from({ length: count }, (_, index) => wire(`${name}-${index}`, 'failed', index));
    const stuck = {
      shop: [wire('s', 'running', 2)],
      mail: [wire('m', 'running', 0), wire('n', 'running', 1)],
    };
    operations.push(...(stuck[name as keyof typeof stuck] ?? []));
    history.commitOne(projectReading(at + 120 * minute, name, { endpoints: [], operations }));
  }
  folder.close(history);
  const one = await openConsole({ file: folder.file, now: lived.now });
  const lines = [...(await one.get('/')).text.matchAll(/<p class="who">(.*?)<\/p>/g)].map(
    ([, line = '']) => line,
  );
  expect(lines.map(line => line.replaceAll(/<[^>]*>/g, ''))).toEqual([
    'mail 2, shop',
    'search 3, billing 2, shop 1 and 2 more',
  ]);
  expect(lines[0]).toContain(
    '<a href="/operations?status=in_progress&amp;account=main&amp;project=mail">mail</a>',
  );
  expect(lines[0]).toContain('<a href="/operations/main/shop/s">shop</a>');
  expect(lines[1]).toContain(
    '<a href="/operations?status=failed&amp;account=main&amp;project=search">search</a>',
  );
  one.close();
});

test('the page shows the answer, a hostile name as cut text, and its chart in words', async () => {
  const { text } = await shown.get('/');
  const { spending, saving } = await read();
  const weak = (amount: string | null | undefined) =>
    `€${amount?.split('.')[0]}<span class="c">.${amount?.split('.')[1]}</span>`;
  expect(text).toContain(weak(spending?.cost));
  expect(text).toContain('<a class="a" href="/cost">the cost page</a>');
  expect(text).toContain(weak(saving?.cost_per_month));
  expect(text).toContain(`At most €${saving?.most_cost_per_month}, from `);
  expect(text).toContain(`role="img" aria-label="€${spending?.cost} so far, €${spending?.expected} expected`);
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script>alert(1)');
  expect(text.length).toBeLessThan(40_000);
});

test('without prices hours, and what changed in them, are those of the reports', async () => {
  const free = await openConsole({ file: lived.folder.file, now: lived.now });
  const { spending } = await read(free);
  const usage = await free.report('usage', { period: 'billing', by: 'account' });
  const why = await free.report('why', { period: 'billing' });
  expect(spending).toMatchObject({
    currency: null,
    cost: null,
    expected: null,
    before: { cost: null, used_hours: why.against?.before, used_hours_now: why.against?.after },
    compute_hours: readTotals<'usage'>(usage)?.compute_hours,
  });
  const expected = free.usage()?.accounts[0]?.forecast?.computeSeconds?.expected ?? Number.NaN;
  expect(spending?.expected_hours).toBe((expected / hour).toFixed(2));
  expect((await free.get('/')).text).toContain('<a href="/prices">Set a price</a> to see it in money');
  free.close();
});

test('several accounts have a line each, and are added up but for their bounds', async () => {
  using folder = new HistoryFolder();
  const accounts = ['main', 'other'];
  const history = folder.open({ accounts });
  for (const [account, hours] of [
    ['main', 3],
    ['other', 5],
  ] as const) {
    const used = (cpu_used_sec: number) => [
      wireProject(`p-${account}`, { cpu_used_sec, created_at: '2026-11-01T00:00:00Z' }),
    ];
    history.commitOne(projectsReading(lived.now - 2 * 3_600_000, used(0), { account }));
    history.commitOne(projectsReading(lived.now, used(hours * hour), { account }));
  }
  folder.close(history);
  const both = await openConsole({ file: folder.file, now: lived.now + 1000, yaml, accounts });
  const use = await both.report('cost', { period: 'billing', by: 'account' });
  expect((await read(both)).spending).toMatchObject({
    cost: '1.28',
    accounts: [
      { account: 'other', cost: '0.80' },
      { account: 'main', cost: '0.48' },
    ],
  });
  const forecasts = accounts.map(account => ({ ...sampleUse, account }));
  const view = { accounts: forecasts, budgets: [] };
  const days = await both.report('cost', { period: 'billing', by: 'account', step: 'day' });
  const why = await both.report('why', { period: 'billing' });
  const spending = describeSpending({ use, days, why }, both.config, view);
  expect(spending.expected).toBe('45.00');
  const drawn = renderToString(
    drawOverview(
      { ...nothingElse, running: nothingRuns, spending },
      { now: lived.now, staleAt: null, staleAccounts: [] },
    ),
  );
  expect(drawn).toContain('€45<span class="c">.00</span>');
  expect(drawn).toContain('<p class="x">of 2 accounts</p>');
  const [bounds] = forecasts.map(({ forecast }) => forecast?.cost);
  expect(drawn.split(`€${bounds?.low80.toFixed(2)} to €${bounds?.high80.toFixed(2)}`)).toHaveLength(3);
  both.close();
});

const nothingElse = { troubles: [], rests_on: null, as_of: null, saving: null, pending: [] };
const nothingRuns = { projects: 0, endpoints: 0, states: [], active_projects: 0, active: [] };
const summary = { collectors: [], operationDurations: [], api_keys: [] };
const troubledState: Partial<LiveState> = {
  overviews: [
    {
      summary: {
        ...summary,
        ...{ account: 'main', up: true, authOk: true, importsLeft: 3 },
        collectors: [{ collector: 'operations', success: false, errors: {} }],
      },
      ...{ projects: 7, endpoints: 9 },
    },
    { summary: { ...summary, account: 'refused', up: false, authOk: false }, projects: 1, endpoints: 1 },
    { summary: { ...summary, account: 'down', up: false, authOk: true }, projects: 1, endpoints: 1 },
  ],
  problems: [
    {
      what: 'a reading failed',
      message: 'GET /projects/{project_id}/operations was not answered within 30 s',
      about: { account: 'main', collector: 'operations' },
      sinceAt: 0,
      lastAt: 0,
      failures: 2,
    },
    {
      what: 'the key file',
      message: 'it is empty',
      about: { account: 'main' },
      sinceAt: 0,
      lastAt: 0,
      failures: 2,
    },
  ],
  stalled: [{ account: 'main', what: 'reading lists' }],
  lastReload: { at: lived.now, succeeded: false },
};
