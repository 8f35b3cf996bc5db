import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { type Granularity, granularities, type MeterAmounts } from '../../src/resources/meter.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { answerMeter, type MeteredProject, sumOfHours } from '../support/metered-service.ts';
import { failedReading, projectsReading, startAt } from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const hourAt = (hours: number) => startAt + hours * hourMs;

function openMetered(folder: HistoryFolder, ids: readonly string[] = ['p']) {
  const history = folder.open(withMeter);
  history.record(
    projectsReading(
      startAt,
      ids.map(id => ({ id })),
    ),
  );
  return history;
}

const meteredLines = (history: History) =>
  linesOf(viewOf(history, startAt), 'dbpm_').filter(line => line.includes('_metered_'));

const compute = (from: number, value: number) =>
  wireTimeframe(hourAt(from), hourAt(from + 1), { compute_unit_seconds: value });

test('hours that grow count by what they came to in the end, and hours told again count once', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  const read = (...hours: Parameters<typeof compute>[]) => {
    history.record(
      consumptionReading(hourAt(9), [
        wireConsumption(
          'p',
          hours.map(hour => compute(...hour)),
        ),
      ]),
    );
    return sampleValue(
      viewOf(history, startAt),
      'dbpm_project_metered_compute_unit_seconds_total{project_id="p"}',
    );
  };
  expect(read([1, 100])).toBe(100);
  expect(read([1, 100])).toBe(100);
  expect(read([1, 150], [2, 7])).toBe(157);
  // A replica that is behind takes nothing back.
  expect(read([1, 90], [2, 7])).toBe(157);
});

test('a day is what its own timeframe or its hours say, whichever is more, and a month likewise', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  const midnight = Date.UTC(2026, 10, 20);
  const read = (granularity: Granularity, fromAt: number, untilAt: number, value: number) => {
    const wire = wireConsumption('p', [wireTimeframe(fromAt, untilAt, { compute_unit_seconds: value })]);
    history.record(consumptionReading(hourAt(9), [wire], { granularity }));
    return sampleValue(viewOf(history, startAt), 'dbpm_account_metered_compute_unit_seconds_total{}');
  };
  expect(read('hourly', midnight, midnight + hourMs, 10)).toBe(10);
  expect(read('daily', midnight, midnight + dayMs, 40)).toBe(40);
  // One more hour of the forty.
  expect(read('hourly', midnight + hourMs, midnight + 2 * hourMs, 25)).toBe(40);
  // The day was told before all of it was counted.
  expect(read('hourly', midnight + 2 * hourMs, midnight + 3 * hourMs, 30)).toBe(65);
  expect(read('monthly', Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1), 1000)).toBe(1000);
  expect(read('hourly', midnight + 3 * hourMs, midnight + 4 * hourMs, 30)).toBe(1000);
  expect(read('daily', midnight - dayMs, midnight, 906)).toBe(1001);
});

test('what lasts is shown in months also where the meter counts it in hours', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ ...withMeter, meterUnit: 'hour' });
  history.record(projectsReading(startAt, [{ id: 'p' }]));
  const amounts = {
    compute_unit_seconds: 3600,
    root_branch_bytes_month: 744e9,
    snapshot_storage_bytes_month: 372,
    public_network_transfer_bytes: 744,
    extra_branches_month: 1488,
  };
  const wire = [wireConsumption('p', [wireTimeframe(hourAt(-1), hourAt(0), amounts)])];
  history.record(consumptionReading(hourAt(1), wire));
  const shown = (labels: string) => [
    `compute_unit_seconds_total{${labels}} 3600`,
    `storage_byte_months_total{${[labels, 'kind="root_branch"'].filter(Boolean).join()}} 1000000000`,
    `storage_byte_months_total{${[labels, 'kind="snapshot"'].filter(Boolean).join()}} 0.5`,
    `transfer_bytes_total{${[labels, 'network="public"'].filter(Boolean).join()}} 744`,
    `extra_branch_months_total{${labels}} 2`,
  ];
  expect(meteredLines(history)).toEqual([
    ...shown('').map(line => `dbpm_account_metered_${line}`),
    `dbpm_account_metered_until_timestamp_seconds{} ${startAt / 1000}`,
    ...shown('project_id="p"').map(line => `dbpm_project_metered_${line}`),
  ]);
});

test('everything that is metered is shown by kind, and nothing that is not', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder, ['p', 'q']);
  expect(meteredLines(history)).toEqual([]);
  const amounts: MeterAmounts = {
    compute_unit_seconds: 3600,
    root_branch_bytes_month: 1,
    child_branch_bytes_month: 2,
    instant_restore_bytes_month: 3,
    snapshot_storage_bytes_month: 4,
    public_network_transfer_bytes: 5,
    private_network_transfer_bytes: 0,
  };
  const wire = [
    wireConsumption('p', [wireTimeframe(hourAt(-1), startAt, amounts)]),
    wireConsumption('deleted long ago', [wireTimeframe(hourAt(-1), startAt, { extra_branches_month: 6 })]),
  ];
  history.record(consumptionReading(startAt + 1, wire));
  expect(meteredLines(history)).toEqual([
    'dbpm_account_metered_compute_unit_seconds_total{} 3600',
    'dbpm_account_metered_storage_byte_months_total{kind="root_branch"} 1',
    'dbpm_account_metered_storage_byte_months_total{kind="child_branch"} 2',
    'dbpm_account_metered_storage_byte_months_total{kind="instant_restore"} 3',
    'dbpm_account_metered_storage_byte_months_total{kind="snapshot"} 4',
    'dbpm_account_metered_transfer_bytes_total{network="public"} 5',
    'dbpm_account_metered_transfer_bytes_total{network="private"} 0',
    'dbpm_account_metered_extra_branch_months_total{} 6',
    `dbpm_account_metered_until_timestamp_seconds{} ${startAt / 1000}`,
    'dbpm_project_metered_compute_unit_seconds_total{project_id="p"} 3600',
    'dbpm_project_metered_storage_byte_months_total{project_id="p",kind="root_branch"} 1',
    'dbpm_project_metered_storage_byte_months_total{project_id="p",kind="child_branch"} 2',
    'dbpm_project_metered_storage_byte_months_total{project_id="p",kind="instant_restore"} 3',
    'dbpm_project_metered_storage_byte_months_total{project_id="p",kind="snapshot"} 4',
    'dbpm_project_metered_transfer_bytes_total{project_id="p",network="public"} 5',
    'dbpm_project_metered_transfer_bytes_total{project_id="p",network="private"} 0',
  ]);
});

test('what was metered of a project is there after a restart, and when the project is listed for the first time', () => {
  using folder = new HistoryFolder();
  let history = openMetered(folder);
  const wire = ['p', 'new'].map(id => wireConsumption(id, [compute(-2, 5)]));
  history.record(consumptionReading(startAt, wire));
  const shown = () =>
    linesOf(viewOf(history, startAt), 'dbpm_project_metered_compute').map(line =>
      line.replace(/.*="(.*)"/, '$1'),
    );
  history = folder.reopen(history, withMeter);
  expect(shown()).toEqual(['p} 5']);
  history.record(projectsReading(startAt, [{ id: 'p' }, { id: 'new' }]));
  expect(shown()).toEqual(['p} 5', 'new} 5']);
});

test('the meter is known until the last whole timeframe, once all pages were read', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  const until = () => viewOf(history, startAt).meteredUntilAt;
  const wire = [wireConsumption('p', [compute(0, 5), compute(1, 5), compute(2, 1)])];
  history.record(consumptionReading(hourAt(2.5), wire, { goesOn: true }));
  expect(until()).toBeUndefined();
  history.record(consumptionReading(hourAt(2.5), []));
  expect(until()).toBe(hourAt(2));
});

test('timeframes are read again until they did not grow, and for half a day at least', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  const settled = (at: number, ...hours: Parameters<typeof compute>[]) => {
    history.record(
      consumptionReading(at, [
        wireConsumption(
          'p',
          hours.map(hour => compute(...hour)),
        ),
      ]),
    );
    const { settledUntilAt = Number.NaN } = history.meterState('main')?.passes.hourly ?? {};
    return (settledUntilAt - startAt) / hourMs;
  };
  // What is told for the first time may still grow.
  expect(settled(hourAt(20), [0, 5], [1, 5], [19, 3])).toBe(0);
  expect(settled(hourAt(21), [0, 5], [1, 6], [19, 3])).toBe(1);
  expect(settled(hourAt(22), [1, 6], [19, 3])).toBe(10);
});

test('another part of the account is read from the beginning', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  const wire = [wireConsumption('p', [compute(-2, 5)])];
  history.record(consumptionReading(startAt, wire, { scope: 'org-1' }));
  expect(history.meterState('main')).toMatchObject({
    scope: 'org-1',
    passes: { hourly: { readAt: startAt } },
  });
  history.record(consumptionReading(startAt, [], { scope: 'org-2', goesOn: true }));
  expect(history.meterState('main')?.passes.hourly?.readAt).toBeUndefined();
  expect(viewOf(history, startAt).metered).toEqual({ compute_unit_seconds: 5 });
});

test('a service that never offered its meter has no series of it; one that takes it away fails', () => {
  using folder = new HistoryFolder();
  let history = openMetered(folder);
  const refusal = { kind: 'consumption_refused', reason: 'forbidden', scope: '', account: 'main' } as const;
  const refuse = (at: number) => history.record({ ...refusal, readAt: at, servedAt: at, durationMs: 5 });
  const collector = () =>
    viewOf(history, startAt).collectors.find(({ collector: name }) => name === 'consumption');
  refuse(startAt);
  expect(collector()).toBeUndefined();
  history = folder.reopen(history, withMeter);
  expect(history.meterState('main')).toEqual({ scope: '', refusedAt: startAt, passes: {} });
  history.record(consumptionReading(startAt, [wireConsumption('p', [compute(-2, 5)])]));
  expect(history.meterState('main')?.refusedAt).toBeUndefined();
  expect(collector()).toMatchObject({ success: true, errors: {} });
  refuse(startAt);
  expect(collector()).toMatchObject({ success: false, errors: { forbidden: 1 } });
  expect(viewOf(history, startAt)).toMatchObject({ up: true, authOk: true });
});

test('a failure of the meter says nothing about the key, and values that are lost are counted', () => {
  using folder = new HistoryFolder();
  const history = openMetered(folder);
  history.record(failedReading(startAt, 'consumption', 'unauthorized'));
  expect(viewOf(history, startAt).authOk).toBe(true);
  const odd = wireTimeframe(hourAt(-2), hourAt(-1), { compute_unit_seconds: -5 });
  const toCome = wireTimeframe(hourAt(2), hourAt(3), { compute_unit_seconds: 5 });
  history.record(consumptionReading(startAt, [wireConsumption('p', [odd, toCome]), { project_id: 7.5 }]));
  const collector = viewOf(history, startAt).collectors.find(each => each.collector === 'consumption');
  expect(collector?.errors).toEqual({ unauthorized: 1, malformed: 1 });
  expect(viewOf(history, startAt).lostFields).toEqual({ consumption: 2 });
  expect(viewOf(history, startAt).metered).toBeUndefined();
});

test('hours go when they are as old as they are kept, and days; what they came to stays', () => {
  using folder = new HistoryFolder();
  const keep = { samples: 2 * dayMs, hours: 10 * dayMs, days: 70 * dayMs, operations: dayMs };
  const history = folder.open({ ...withMeter, keep });
  history.record(projectsReading(startAt, [{ id: 'p' }]));
  const wire = [wireConsumption('p', [compute(-3, 5), compute(-2, 6)])];
  history.record(consumptionReading(startAt, wire));
  const keepUpAt = (days: number) => {
    while (history.upkeep(startAt + days * dayMs));
    const reader = new Database(folder.file, { readonly: true });
    const tables = ['metered_timeframe', 'metered_day', 'metered_month'];
    const counts = tables.map(table => reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    reader.close();
    return counts;
  };
  expect(keepUpAt(9)).toEqual([2, 1, 1]);
  expect(keepUpAt(12)).toEqual([0, 1, 1]);
  expect(keepUpAt(72)).toEqual([0, 0, 1]);
  // Told again, by hours that are gone, it still counts once.
  history.record(consumptionReading(startAt + 72 * dayMs, wire));
  expect(viewOf(history, startAt).metered).toEqual({ compute_unit_seconds: 11 });
});

const firstAt = Date.UTC(2026, 9, 29);
const hoursInAll = 5 * 24;

const truth = fc.record({
  seed: fc.nat(1000),
  planChangesAtHour: fc.option(fc.nat(hoursInAll), { nil: undefined }),
});

const reading = fc.record({
  laterHours: fc.nat(100),
  granularity: fc.constantFrom(...granularities),
  backHours: fc.nat(168),
  lagHours: fc.nat(30),
  event: fc.constantFrom('none', 'none', 'restart', 'unwritten', 'cut short', 'twice'),
});

test('over outages, kills, timeframes that grow, readings repeated and a change of plan, every unit counts once', () => {
  fc.assert(
    fc.property(
      fc.array(truth, { minLength: 1, maxLength: 3 }),
      fc.array(reading, { maxLength: 12 }),
      (truths, readings) => {
        using folder = new HistoryFolder();
        const projects = truths.map((each, index) => meteredProject(`p${index}`, each));
        const ids = projects.map(({ project_id }) => ({ id: project_id }));
        let history = folder.open(withMeter);
        history.record(projectsReading(startAt, ids));
        const most = sumOfHours(projects.flatMap(({ hours }) => hours));
        let shown: MeterAmounts = {};
        const look = () => {
          const { metered = {}, projects: views } = viewOf(history, startAt);
          for (const [metric, amount] of Object.entries(shown)) {
            expect(metered[metric as keyof MeterAmounts]).toBeGreaterThanOrEqual(amount);
          }
          for (const [metric, amount] of Object.entries(metered)) {
            expect(amount).toBeLessThanOrEqual(most[metric] ?? 0);
          }
          expect(metered).toEqual(sumOfHours(views.map(view => view.metered ?? {})));
          shown = metered;
        };
        let now = firstAt;
        for (const { laterHours, granularity, backHours, lagHours, event } of readings) {
          now += laterHours * hourMs + 7 * 60_000;
          const question = { granularity, fromAt: now - backHours * hourMs, untilAt: now };
          const wire = answerMeter(projects, question, now, lagHours);
          if (event === 'restart') history = folder.reopen(history, withMeter);
          if (event === 'unwritten') {
            const refusal = folder.refuseWrites('ROLLBACK');
            expect(() => history.record(consumptionReading(now, wire, { granularity }))).toThrow();
            refusal.end();
          } else if (event === 'cut short') {
            history.record(consumptionReading(now, wire.slice(0, 1), { granularity, goesOn: true }));
            history = folder.reopen(history, withMeter);
          } else {
            history.record(consumptionReading(now, wire, { granularity }));
            if (event === 'twice') history.record(consumptionReading(now, wire, { granularity }));
          }
          look();
        }
        const end = Math.max(now, firstAt + hoursInAll * hourMs) + 60 * hourMs;
        for (const granularity of granularities) {
          const question = { granularity, fromAt: 0, untilAt: end };
          history.record(consumptionReading(end, answerMeter(projects, question, end, 0), { granularity }));
          look();
          expect(shown).toEqual(most);
        }
      },
    ),
    { numRuns: 5 },
  );
});

function meteredProject(
  project_id: string,
  { seed, planChangesAtHour }: { readonly seed: number; readonly planChangesAtHour: number | undefined },
): MeteredProject {
  const hours = Array.from({ length: hoursInAll }, (_, index) => {
    const noise = (seed * 7919 + index * 104_729) % 3600;
    return { compute_unit_seconds: noise < 1800 ? 0 : noise, root_branch_bytes_month: 1_000_000 + noise };
  });
  const changes =
    planChangesAtHour === undefined ? {} : { planChangesAt: firstAt + planChangesAtHour * hourMs };
  return { project_id, fromAt: firstAt, hours, ...changes };
}

test('petabytes of an account, counted in byte-hours, add up beyond 64 bits', () => {
  using folder = new HistoryFolder();
  const ids = Array.from({ length: 200 }, (_, index) => `p-${index}`);
  const history = openMetered(folder, ids);
  const storedByteHours = 100e12 * 744;
  const month = wireTimeframe(Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1), {
    root_branch_bytes_month: storedByteHours,
  });
  const wire = ids.map(id => wireConsumption(id, [month]));
  history.record(consumptionReading(hourAt(9), wire, { granularity: 'monthly' }));
  const again = folder.reopen(history, withMeter);
  expect(viewOf(again, startAt).metered?.root_branch_bytes_month).toBeCloseTo(200 * storedByteHours, -6);
});
