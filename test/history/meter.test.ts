import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { type Granularity, granularities, type MeterAmounts } from '../../src/resources/meter.ts';
import { restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { answerMeter, type MeteredProject, sumOfHours } from '../support/metered-service.ts';
import { failedReading, projectsReading, startAt } from '../support/reading-builder.ts';

const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const hourAt = (hours: number) => startAt + hours * hourMs;
const listed = (...ids: readonly string[]) =>
  projectsReading(
    startAt,
    ids.map(id => ({ id })),
  );

type Hour = readonly [from: number, computeUnitSeconds: number];

/** Hours after the start of the project `p`, and its compute unit seconds in each. */
const hours = (...told: readonly Hour[]) => hoursOf('p', ...told);
const hoursOf = (id: string, ...told: readonly Hour[]) =>
  wireConsumption(
    id,
    told.map(([from, value]) =>
      wireTimeframe(hourAt(from), hourAt(from + 1), { compute_unit_seconds: value }),
    ),
  );
/** The past was read, and there was none. */
const pastRead = (['monthly', 'daily', 'hourly'] as const).map(granularity =>
  consumptionReading(hourAt(-9), [], { granularity }),
);
const read = (...told: readonly Hour[]) => consumptionReading(hourAt(9), [hours(...told)]);
const compute = (id: string, seconds: number) =>
  `dbpm_project_metered_compute_unit_seconds_total{project_id="${id}"} ${seconds}`;
const ofAccount = (seconds: number) => `dbpm_account_metered_compute_unit_seconds_total ${seconds}`;

const midnight = Date.UTC(2026, 10, 20);
/** Compute of one timeframe. */
const frame = (granularity: Granularity, fromAt: number, untilAt: number, value: number) =>
  consumptionReading(
    hourAt(9),
    [wireConsumption('p', [wireTimeframe(fromAt, untilAt, { compute_unit_seconds: value })])],
    { granularity },
  );
const hour = (index: number, value: number) =>
  frame('hourly', midnight + index * hourMs, midnight + (index + 1) * hourMs, value);

const refusedAt = (at: number) =>
  ({
    ...({ kind: 'consumption_refused', reason: 'forbidden', scope: '', account: 'main' } as const),
    ...{ readAt: at, servedAt: at, durationMs: 5 },
  }) as const;

testExposition(
  'dbpm_project_metered_compute_unit_seconds_total',
  {
    'hours that grow count by what they came to in the end, and hours told again count once': [
      read([1, 100]),
      compute('p', 100),
      read([1, 100]),
      compute('p', 100),
      read([1, 150], [2, 7]),
      compute('p', 157),
      // A replica that is behind takes nothing back.
      read([1, 90], [2, 7]),
      compute('p', 157),
    ],
    'what was metered of a project is there when the project is listed for the first time': [
      consumptionReading(startAt, [hoursOf('p', [-2, 5]), hoursOf('new', [-2, 5])]),
      restart(),
      compute('p', 5),
      listed('p', 'new'),
      `${compute('p', 5)}
       ${compute('new', 5)}`,
    ],
  },
  { options: withMeter, first: [listed('p'), ...pastRead] },
);

const october = (goesOn: boolean) =>
  consumptionReading(
    hourAt(9),
    [
      wireConsumption('p', [
        wireTimeframe(Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1), { compute_unit_seconds: 900 }),
      ]),
    ],
    { granularity: 'monthly', goesOn },
  );

testExposition(
  'dbpm_account_metered_compute_unit_seconds_total dbpm_project_metered_compute_unit_seconds_total',
  {
    'what was metered is absent until its past was read by months, days and hours, and then it is all there':
      [
        october(true),
        '',
        october(false),
        restart(),
        '',
        consumptionReading(hourAt(9), [], { granularity: 'daily' }),
        '',
        read([1, 100]),
        `${compute('p', 1000)}
       ${ofAccount(1000)}`,
      ],
    'a service that does not tell its months is waited for for a day': [
      read([1, 100]),
      '',
      consumptionReading(hourAt(32), [hours([1, 101])]),
      '',
      consumptionReading(hourAt(33), [hours([1, 102])]),
      `${compute('p', 102)}
       ${ofAccount(102)}`,
    ],
    'a service that offers its meter long after it was first asked is waited for, too': [
      refusedAt(hourAt(-48)),
      read([1, 100]),
      '',
    ],
  },
  { options: withMeter, first: [listed('p')] },
);

testExposition(
  'dbpm_account_metered_compute_unit_seconds_total',
  {
    'a day is what its own timeframe or its hours say, whichever is more, and a month likewise': [
      hour(0, 10),
      ofAccount(10),
      frame('daily', midnight, midnight + dayMs, 40),
      ofAccount(40),
      // One more hour of the forty.
      hour(1, 25),
      ofAccount(40),
      // The day was told before all of it was counted.
      hour(2, 30),
      ofAccount(65),
      frame('monthly', Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1), 1000),
      ofAccount(1000),
      hour(3, 30),
      ofAccount(1000),
      frame('daily', midnight - dayMs, midnight, 906),
      ofAccount(1001),
    ],
  },
  { options: withMeter, first: [listed('p'), ...pastRead] },
);

const meteredMetrics = ['account', 'project']
  .flatMap(of =>
    [
      ...['compute_unit_seconds_total', 'storage_byte_months_total', 'transfer_bytes_total'],
      ...['extra_branch_months_total', 'until_timestamp_seconds'],
    ].map(name => `dbpm_${of}_metered_${name}`),
  )
  .join(' ');
const everything: MeterAmounts = {
  compute_unit_seconds: 3600,
  root_branch_bytes_month: 1,
  child_branch_bytes_month: 2,
  instant_restore_bytes_month: 3,
  snapshot_storage_bytes_month: 4,
  public_network_transfer_bytes: 5,
  private_network_transfer_bytes: 0,
};

testExposition(
  meteredMetrics,
  {
    'everything that is metered is shown by kind, and nothing that is not': [
      '',
      consumptionReading(startAt + 1, [
        wireConsumption('p', [wireTimeframe(hourAt(-1), startAt, everything)]),
        wireConsumption('deleted long ago', [
          wireTimeframe(hourAt(-1), startAt, { extra_branches_month: 6 }),
        ]),
      ]),
      `dbpm_account_metered_compute_unit_seconds_total 3600
       dbpm_account_metered_storage_byte_months_total{kind="root_branch"} 1
       dbpm_account_metered_storage_byte_months_total{kind="child_branch"} 2
       dbpm_account_metered_storage_byte_months_total{kind="instant_restore"} 3
       dbpm_account_metered_storage_byte_months_total{kind="snapshot"} 4
       dbpm_account_metered_transfer_bytes_total{network="public"} 5
       dbpm_account_metered_transfer_bytes_total{network="private"} 0
       dbpm_account_metered_extra_branch_months_total 6
       dbpm_account_metered_until_timestamp_seconds ${startAt / 1000}
       dbpm_project_metered_compute_unit_seconds_total{project_id="p"} 3600
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="root_branch"} 1
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="child_branch"} 2
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="instant_restore"} 3
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="snapshot"} 4
       dbpm_project_metered_transfer_bytes_total{project_id="p",network="public"} 5
       dbpm_project_metered_transfer_bytes_total{project_id="p",network="private"} 0`,
    ],
  },
  { options: withMeter, first: [listed('p', 'q'), ...pastRead] },
);

testExposition(
  meteredMetrics,
  {
    'what lasts is shown in months also where the meter counts it in hours': [
      consumptionReading(hourAt(1), [
        wireConsumption('p', [
          wireTimeframe(hourAt(-1), hourAt(0), {
            compute_unit_seconds: 3600,
            root_branch_bytes_month: 744e9,
            snapshot_storage_bytes_month: 372,
            public_network_transfer_bytes: 744,
            extra_branches_month: 1488,
          }),
        ]),
      ]),
      `dbpm_account_metered_compute_unit_seconds_total 3600
       dbpm_account_metered_storage_byte_months_total{kind="root_branch"} 1000000000
       dbpm_account_metered_storage_byte_months_total{kind="snapshot"} 0.5
       dbpm_account_metered_transfer_bytes_total{network="public"} 744
       dbpm_account_metered_extra_branch_months_total 2
       dbpm_account_metered_until_timestamp_seconds ${startAt / 1000}
       dbpm_project_metered_compute_unit_seconds_total{project_id="p"} 3600
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="root_branch"} 1000000000
       dbpm_project_metered_storage_byte_months_total{project_id="p",kind="snapshot"} 0.5
       dbpm_project_metered_transfer_bytes_total{project_id="p",network="public"} 744
       dbpm_project_metered_extra_branch_months_total{project_id="p"} 2`,
    ],
  },
  { options: { ...withMeter, meterUnit: 'hour' }, first: [listed('p'), ...pastRead] },
);

const until = (hours: number | 'absent') =>
  `dbpm_account_metered_until_timestamp_seconds ${hours === 'absent' ? hours : hourAt(hours) / 1000}`;
/** Where the next pass begins, in hours after the start. */
const settledUntil =
  (hours: number): Step =>
  ({ history }) => {
    const { settledUntilAt = Number.NaN } = history.meterState('main')?.passes.hourly ?? {};
    expect((settledUntilAt - startAt) / hourMs).toBe(hours);
  };
const state =
  (expected: object): Step =>
  ({ history }) =>
    expect(history.meterState('main')).toMatchObject(expected);

testExposition(
  'dbpm_account_metered_until_timestamp_seconds',
  {
    'the meter is known until the last whole timeframe, once all pages were read': [
      consumptionReading(hourAt(2.5), [hours([0, 5], [1, 5], [2, 1])], { goesOn: true }),
      until('absent'),
      consumptionReading(hourAt(2.5), []),
      until(2),
    ],
    'timeframes are read again until they did not grow, and for half a day at least': [
      // What is told for the first time may still grow.
      consumptionReading(hourAt(20), [hours([0, 5], [1, 5], [19, 3])]),
      settledUntil(0),
      consumptionReading(hourAt(21), [hours([0, 5], [1, 6], [19, 3])]),
      settledUntil(1),
      consumptionReading(hourAt(22), [hours([1, 6], [19, 3])]),
      settledUntil(10),
    ],
    'another part of the account is read from the beginning': [
      consumptionReading(startAt, [hours([-2, 5])], { scope: 'org-1' }),
      state({ scope: 'org-1', passes: { hourly: { readAt: startAt } } }),
      consumptionReading(startAt, [], { scope: 'org-2', goesOn: true }),
      ({ history }) => expect(history.meterState('main')?.passes.hourly?.readAt).toBeUndefined(),
      `${ofAccount(5)}
       ${until(-1)}`,
    ],
  },
  { options: withMeter, first: [listed('p'), ...pastRead] },
);

test('a service that never offered its meter has no series of it; one that takes it away fails', () => {
  const told = new ToldHistory(withMeter);
  const collector = () => told.view(startAt).collectors.find(each => each.collector === 'consumption');
  told.tell(listed('p'), refusedAt(startAt));
  expect(collector()).toBeUndefined();
  told.restart();
  expect(told.history.meterState('main')).toEqual({ scope: '', refusedAt: startAt, passes: {} });
  told.tell(consumptionReading(startAt, [hours([-2, 5])]));
  expect(told.history.meterState('main')?.refusedAt).toBeUndefined();
  expect(collector()).toMatchObject({ success: true, errors: {} });
  told.tell(refusedAt(startAt));
  expect(collector()).toMatchObject({ success: false, errors: { forbidden: 1 } });
  expect(told.view(startAt)).toMatchObject({ up: true, authOk: true });
});

test('a failure of the meter says nothing about the key, and values that are lost are counted', () => {
  const told = new ToldHistory(withMeter);
  told.tell(listed('p'), failedReading(startAt, 'consumption', 'unauthorized'));
  expect(told.view(startAt).authOk).toBe(true);
  const toCome = wireTimeframe(hourAt(2), hourAt(3), { compute_unit_seconds: 5 });
  const odd = wireTimeframe(hourAt(-2), hourAt(-1), { compute_unit_seconds: -5 });
  told.tell(consumptionReading(startAt, [wireConsumption('p', [odd, toCome]), { project_id: 7.5 }]));
  const { collectors, lostFields, metered } = told.view(startAt);
  expect(collectors.find(each => each.collector === 'consumption')?.errors).toEqual({
    unauthorized: 1,
    malformed: 1,
  });
  expect(lostFields).toEqual({ consumption: 2 });
  expect(metered).toBeUndefined();
});

test('hours go when they are as old as they are kept, and days; what they came to stays', () => {
  const keep = { samples: 2 * dayMs, hours: 10 * dayMs, days: 70 * dayMs, operations: dayMs };
  const told = new ToldHistory({ ...withMeter, keep });
  const wire = [hours([-3, 5], [-2, 6])];
  told.tell(listed('p'), ...pastRead, consumptionReading(startAt, wire));
  const keepUpAt = (days: number) => {
    while (told.history.upkeep(startAt + days * dayMs));
    const reader = new Database(told.file, { readonly: true });
    const tables = ['metered_timeframe', 'metered_day', 'metered_month'];
    const counts = tables.map(table => reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    reader.close();
    return counts;
  };
  expect(keepUpAt(9)).toEqual([2, 1, 1]);
  expect(keepUpAt(12)).toEqual([0, 1, 1]);
  expect(keepUpAt(72)).toEqual([0, 0, 1]);
  // Told again, by hours that are gone, it still counts once.
  told.tell(consumptionReading(startAt + 72 * dayMs, wire));
  expect(told.view(startAt).metered).toEqual({ compute_unit_seconds: 11 });
});

test('petabytes of an account, counted in byte-hours, add up beyond 64 bits', () => {
  const told = new ToldHistory(withMeter);
  const ids = Array.from({ length: 200 }, (_, index) => `p-${index}`);
  const storedByteHours = 100e12 * 744;
  const month = wireTimeframe(Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1), {
    root_branch_bytes_month: storedByteHours,
  });
  const wire = ids.map(id => wireConsumption(id, [month]));
  told.tell(listed(...ids), ...pastRead, consumptionReading(hourAt(9), wire, { granularity: 'monthly' }));
  told.restart();
  expect(told.view(startAt).metered?.root_branch_bytes_month).toBeCloseTo(200 * storedByteHours, -6);
});

const firstAt = Date.UTC(2026, 9, 29);
const hoursInAll = 5 * 24;

const truth = fc.record({
  seed: fc.nat(1000),
  planChangesAtHour: fc.option(fc.nat(hoursInAll), { nil: undefined }),
});

const passes = fc.record({
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
      fc.array(passes, { maxLength: 12 }),
      (truths, readings) => {
        const projects = truths.map((each, index) => meteredProject(`p${index}`, each));
        const ids = projects.map(({ project_id }) => ({ id: project_id }));
        const told = new ToldHistory(withMeter);
        told.tell(projectsReading(startAt, ids), ...pastRead);
        const most = sumOfHours(projects.flatMap(({ hours }) => hours));
        let shown: MeterAmounts = {};
        const look = () => {
          const { metered = {}, projects: views } = told.view(startAt);
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
          if (event === 'restart') told.restart();
          if (event === 'unwritten') {
            const refusal = told.folder.refuseWrites('ROLLBACK');
            expect(() => told.history.commitOne(consumptionReading(now, wire, { granularity }))).toThrow();
            refusal.end();
          } else if (event === 'cut short') {
            told.history.commitOne(consumptionReading(now, wire.slice(0, 1), { granularity, goesOn: true }));
            told.restart();
          } else {
            told.history.commitOne(consumptionReading(now, wire, { granularity }));
            if (event === 'twice') told.history.commitOne(consumptionReading(now, wire, { granularity }));
          }
          look();
        }
        const end = Math.max(now, firstAt + hoursInAll * hourMs) + 60 * hourMs;
        for (const granularity of granularities) {
          const question = { granularity, fromAt: 0, untilAt: end };
          told.history.commitOne(
            consumptionReading(end, answerMeter(projects, question, end, 0), { granularity }),
          );
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
