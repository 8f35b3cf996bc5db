import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LiveState } from '../../src/console/live-state.ts';
import { ReportMaker } from '../../src/console/report-cache/report-maker.ts';
import { readTotals } from '../../src/console/report-row.ts';
import { UsageReader, usageOfReport } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';
import type { Granularity } from '../../src/resources/meter.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption } from '../support/meter-builder.ts';
import { openConsole } from '../support/open-console.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const yaml = `
pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.16}]}]}
budgets: [{name: small, account: main, amount: 0.01, per: billing}]
`;
const summary = { account: 'main', collectors: [], operationDurations: [], api_keys: [] };
const figurePages = ['/', '/projects', '/cost', '/cost/invoice', '/cost/why', '/findings'];
const refusedAnswers = ['/cost', '/cost/invoice', '/cost/why', '/findings'];

/** What a page says, without its frame. */
const mainOf = (text: string) => /<main.*<\/main>/s.exec(text)?.[0] ?? '';

function openWith(
  record: (history: ReturnType<HistoryFolder['open']>) => void,
  live: Partial<LiveState> = {},
  isImported = false,
) {
  const folder = new HistoryFolder();
  const history = folder.open();
  record(history);
  folder.close(history);
  onTestFinished(() => folder[Symbol.dispose]());
  return openConsole({ file: folder.file, now: startAt + minute, yaml, live, isImported });
}

describe('while the past is being read', () => {
  const live = { imports: [{ account: 'main', at: startAt, left: 3 }] };
  const read = () =>
    openWith(history => {
      const project = (id: string) =>
        wireProject(id, { cpu_used_sec: 36_000, created_at: '2026-01-01T00:00:00Z' });
      history.commitOne(projectsReading(startAt, ['p1', 'p2', 'p3', 'p4'].map(project)));
      for (const id of ['p1', 'p2', 'p3'])
        history.commitOne(
          projectReading(startAt, id, { endpoints: [wireEndpoint(`ep-${id}`)], operations: [] }),
        );
    }, live);
  const said =
    'The past of 1 of 4 projects of account main is still being read: that takes about 30 seconds. Figures are shown when it is whole.';

  test('no page shows money, and each says how far it is and when it is done', async () => {
    const shown = await read();
    for (const path of [...figurePages, '/projects/main/p1']) {
      const { status, text } = await shown.get(path);
      expect([path, status, mainOf(text).includes('€')]).toEqual([path, 200, false]);
      expect(mainOf(text), path).toContain(said);
      expect(mainOf(text), path).toContain('<progress aria-label="Read of the past" max="4" value="3">');
      expect(text, path).toContain('data-renew-after="4"');
    }
    expect((await shown.get('/findings')).text).toContain('This is held back until the past is read');
    shown.close();
  });

  test('no answer and no file has a figure, and a program is told when to ask again', async () => {
    const shown = await read();
    for (const path of [...refusedAnswers, '/reports/cost?format=csv']) {
      const { status, headers, text } = await shown.get(`/api/v1${path}`);
      expect([path, status, headers['Retry-After']]).toEqual([path, 503, '4']);
      expect(JSON.parse(text)).toMatchObject({
        ...{ title: 'Not all of it was read yet', detail: said },
        rests_on: {
          is_whole: false,
          accounts: [{ account: 'main', state: 'importing', projects: 4, projects_left: 1 }],
        },
      });
    }
    expect(await shown.json('/overview')).toMatchObject({
      ...{ spending: null, saving: null, as_of: null, pending: [] },
      rests_on: { accounts: [{ expected_end: new Date(startAt + minute + 30 * second).toISOString() }] },
    });
    const { projects, total, as_of } = await shown.json('/projects');
    expect(total).toMatchObject({ compute_hours: null, cost: null, cost_forecast: null });
    expect([projects.length, projects[0].cost, as_of]).toEqual([4, null, null]);
    shown.close();
  });
});

test('money waits for the meter of the service, too, until it was read by month, day and hour', async () => {
  const shownWith = (granularities: readonly Granularity[] | undefined) =>
    openWith(history => {
      const fields = { cpu_used_sec: 3600, created_at: instant(startAt - 3 * day) };
      const list = (at: number) => ({
        ...projectsReading(at, [wireProject('p1', fields)]),
        ...(granularities && { awaitsMeter: true as const }),
      });
      history.commitOne(list(startAt - minute));
      history.commitOne(projectReading(startAt - minute, 'p1', { endpoints: [], operations: [] }));
      history.commitOne(list(startAt));
      for (const granularity of granularities ?? [])
        history.commitOne(consumptionReading(startAt, [wireConsumption('p1', [])], { granularity }));
    });
  for (const [granularities, isWhole] of [
    [undefined, true],
    [[], false],
    [['monthly', 'daily'], false],
    [['monthly', 'daily', 'hourly'], true],
  ] as const) {
    const shown = await shownWith(granularities);
    const { rests_on } = await shown.json('/overview');
    expect([granularities, rests_on.is_whole]).toEqual([granularities, isWhole]);
    const said = 'What the service metered of account main in the past is still being read.';
    expect((await shown.get('/cost')).text.includes(said)).toBe(!isWhole);
    shown.close();
  }
});

describe('of an account that was never read', () => {
  const advice = 'the API key is missing, mistyped or revoked; create another one';
  const message = `401 from GET /projects: ${advice}`;
  const about = { account: 'main', collector: 'projects' };
  const live = {
    overviews: [{ summary: { ...summary, up: false, authOk: false }, projects: 0, endpoints: 0 }],
    problems: [
      { what: 'a reading failed', about, message, advice, sinceAt: startAt, lastAt: startAt, failures: 3 },
    ],
  };

  test('every page says the cause and the remedy in the words of the log', async () => {
    const shown = await openWith(() => {}, live);
    for (const path of [...figurePages, '/health']) {
      const { text } = await shown.get(path);
      expect([path, mainOf(text).includes(message)]).toEqual([path, true]);
    }
    shown.close();
  });

  test('nothing on the overview reassures, and no sentence lacks its number', async () => {
    for (const state of [live, {}]) {
      const shown = await openWith(() => {}, state);
      const text = mainOf((await shown.get('/')).text);
      for (const torn of ['Nothing', '0 of 0', 'Those active for longest', '> used', '€'])
        expect([torn, text.includes(torn)]).toEqual([torn, false]);
      expect(text).toContain('This is not known yet.');
      expect(text).not.toContain('0 projects');
      shown.close();
    }
  });

  test('a list that was not answered yet is being read for the first time', async () => {
    const shown = await openWith(() => {});
    expect((await shown.get('/cost')).text).toContain('Account main is being read for the first time.');
    shown.close();
  });
});

describe('of an account that was read and has no projects', () => {
  test('it is said that there are none, which cost nothing', async () => {
    const shown = await openWith(history => history.commitOne(projectsReading(startAt, [])));
    const none = 'Account main has no projects.';
    for (const path of ['/', '/projects', '/cost', '/cost/invoice', '/findings']) {
      const text = mainOf((await shown.get(path)).text);
      expect([path, text.includes(none)]).toEqual([path, true]);
      for (const unsure of ['not known yet', 'still being worked out', 'Nothing is known', 'Those active'])
        expect([path, unsure, text.includes(unsure)]).toEqual([path, unsure, false]);
    }
    expect((await shown.json('/cost')).cost).toMatchObject({ cost: '0.00', missing: [] });
    expect((await shown.json('/cost/invoice?period=billing')).invoice.total).toBe('0.00');
    shown.close();
  });
});

describe('what is shown together', () => {
  /** Within an hour. */
  const lastAt = startAt + 5 * day + 24 * minute;
  const folder = new HistoryFolder();
  const history = folder.open();
  const list = (at: number, hours: number) =>
    history.commitOne(
      projectsReading(at, [
        wireProject('p1', { cpu_used_sec: hours * 3600, created_at: '2026-11-01T00:00:00Z' }),
      ]),
    );
  let shown: Awaited<ReturnType<typeof openConsole>>;
  beforeAll(async () => {
    for (let number = 0; number <= 5; number += 1) list(lastAt - (5 - number) * day, 10 * number);
    history.commitOne(projectReading(lastAt, 'p1', { endpoints: [], operations: [] }));
    shown = await openConsole({ file: folder.file, now: lastAt, yaml });
  });
  afterAll(() => {
    shown.close();
    folder[Symbol.dispose]();
  });

  test('is of one instant, whatever is written while it is worked out', async () => {
    const { config } = shown;
    const accounts = ['main'];
    const usageOptions = usageOptionsOf({ ...config, accounts: [] } as never);
    const options = { ...usageOptions, accounts };
    const reader = new UsageReader(folder.file, accounts);
    const calculator = new UsageCalculator(options, reader);
    calculator.analyze();
    let hours = 50;
    const writeMore = () => {
      hours += 10;
      list(lastAt, hours);
    };
    const maker = new ReportMaker(config, {
      view(look, at) {
        writeMore();
        return calculator.view(usageOfReport(look), at);
      },
    });
    const cost = { kind: 'cost', options: { period: 'billing', by: 'account' } } as const;
    const question = {
      reports: [
        cost,
        { kind: 'findings', options: {} },
        { ...cost, options: { ...cost.options, step: 'day' } },
      ],
      withUsage: true,
    } as const;
    const now = lastAt + second;
    // A report of findings says how far it is, in the middle of the others.
    const { at, reports = [], usage } = await maker.set(question, now, writeMore);
    expect(hours).toBe(70);
    const [first, , last] = reports;
    const totals = [first, last].map(report => report && readTotals<'cost'>(report)?.cost);
    expect(totals).toEqual(['8.00', '8.00']);
    expect(usage?.accounts[0]?.cost).toBe(8);
    expect(usage?.budgets[0]?.spent).toBe(8);
    expect(reports.map(({ generatedAt }) => generatedAt)).toEqual([at, at, at]);
    const { reports: [later] = [] } = await maker.set(question, now);
    expect(later && readTotals<'cost'>(later)?.cost).not.toBe('8.00');
    maker.close();
    reader.close();
  });

  test('is the same of an account and of a budget that is all of it', async () => {
    const { budgets, forecasts, cost, as_of } = await shown.json('/cost');
    expect(budgets[0].projected).toBe(forecasts[0].expected);
    expect(budgets[0].bounds).toEqual(forecasts[0].bounds);
    expect([budgets[0].spent, forecasts[0].cost]).toEqual([cost.cost, cost.cost]);
    expect([as_of, cost.generated_at]).toEqual([instant(lastAt), as_of]);
  });

  test('names that instant on every page with figures', async () => {
    for (const path of figurePages) {
      const { text } = await shown.get(path);
      const said = [...text.matchAll(/[^>]* as of <time[^>]*>[^<]*</g)].map(([each]) => each);
      const states = 'States are as of now, use and cost as of <time datetime="2026-11-26T10:24:00.000Z">';
      const figures = 'Figures are as of <time datetime="2026-11-26T10:24:00.000Z">';
      const start = path === '/' ? states : figures;
      expect([path, said]).toEqual([path, [`${start}2026-11-26 10:24:00 UTC<`]]);
    }
  });
});

test('a page whose figures are two minutes old asks for new ones soon, with and without scripts', async () => {
  const readAt = async (now: number) => {
    const shown = await openWith(
      history => {
        history.commitOne(projectsReading(startAt, ['p1'].map(wireProject as (id: string) => never)));
        history.commitOne(
          projectReading(startAt, 'p1', { endpoints: [wireEndpoint('ep-1')], operations: [] }),
        );
      },
      { now },
      true,
    );
    const figuresAt = Date.parse((await shown.json('/findings')).report.generated_at);
    const { text } = await shown.get('/findings');
    shown.close();
    return { figuresAt, renewal: /data-renew-after="(\d+)"/.exec(text)?.[1] };
  };
  const { figuresAt, renewal } = await readAt(startAt);
  expect(renewal).toBeUndefined();
  expect((await readAt(figuresAt + 119_000)).renewal).toBeUndefined();
  expect((await readAt(figuresAt + 120_000)).renewal).toBe('4');
});

test('what could not be read since is as of then: no sentence is of now, and how many are awake is not known', async () => {
  const lastAt = startAt - 33 * minute;
  const list = { collector: 'projects', success: false, lastSuccessAt: lastAt, errors: {} } as const;
  const shown = await openWith(
    history => {
      history.commitOne(projectsReading(lastAt, ['p1'].map(wireProject as (id: string) => never)));
      history.commitOne(projectReading(lastAt, 'p1', { endpoints: [wireEndpoint('ep-1')], operations: [] }));
    },
    {
      overviews: [
        { summary: { ...summary, up: false, authOk: false, collectors: [list] }, projects: 1, endpoints: 1 },
      ],
    },
    true,
  );
  const text = mainOf((await shown.get('/')).text);
  const at = `<time datetime="${instant(lastAt)}">${instant(lastAt).slice(11, 19)}</time>`;
  expect(text).toContain(`<h1>Overview, as of ${at}</h1>`);
  expect(text).toContain(`<h2>What was wrong at ${at}</h2>`);
  expect(text).toContain(`<h2>What ran at ${at}</h2>`);
  expect(text).toMatch(/<h2>Awake now<span class="d crit">no reading<\/span><\/h2><div class="v">not known</);
  expect(text.match(new RegExp(`<span class="pill warn">as of ${at}</span>`, 'g'))).toHaveLength(3);
  for (const now of ['What is wrong now', 'Nothing is wrong', '<b>Nothing.</b>'])
    expect([now, text.includes(now)]).toEqual([now, false]);
  shown.close();
});
