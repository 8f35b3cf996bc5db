import { expect, onTestFinished, test } from 'vitest';
import { boundAwake, doubtAwake, doubtLedgers } from '../../src/history/ledger/ledger-doubt.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const awake = { lower: 9 * hourMs, upper: 11 * hourMs };

test.each([
  ['within the bounds they agree', { active: 10 * hourMs, awake }, undefined],
  ['an hour beyond them is close', { active: 12 * hourMs, awake }, undefined],
  [
    'a tenth beyond them is close',
    { active: 20.5 * hourMs, awake: { lower: 0, upper: 19 * hourMs } },
    undefined,
  ],
  [
    'awake longer than anything showed',
    { active: 15 * hourMs, awake },
    { likelyWrong: 'reconstructed', driftMs: 4 * hourMs },
  ],
  [
    'awake less than endpoints were',
    { active: 5 * hourMs, awake },
    { likelyWrong: 'reconstructed', driftMs: -4 * hourMs },
  ],
  [
    'what was reconstructed explains the counter',
    { active: 5 * hourMs, awake, compute: { reported: 10 * hourMs, bounds: awake } },
    { likelyWrong: 'active_time', driftMs: -4 * hourMs },
  ],
  [
    'what was reconstructed does not explain the counter either',
    { active: 5 * hourMs, awake, compute: { reported: 5 * hourMs, bounds: awake } },
    { likelyWrong: 'reconstructed', driftMs: -4 * hourMs },
  ],
])('%s', (_, figures, doubt) => {
  expect(doubtAwake(figures)).toEqual(doubt);
});

test('time in which several endpoints were awake counts once', () => {
  const sure = { isSure: true, isPossible: true };
  const stretches = [
    { fromAt: 50, untilAt: 60, isSure: false, isPossible: true },
    { fromAt: 0, untilAt: 10, ...sure },
    { fromAt: 5, untilAt: 8, ...sure },
    { fromAt: 8, untilAt: 20, ...sure },
  ];
  expect(boundAwake(stretches)).toEqual({ lower: 20, upper: 30 });
});

const today = Date.UTC(2026, 10, 21);

/**
 * Every reading of three days shows that the endpoint of this project sleeps.
 *
 * @param activeAt what the service says of its awake time at an hour from the beginning on; absent where it does not.
 */
function compareSleeping(
  activeAt: (hour: number) => number | undefined,
  { cpuAt = () => 0 }: { readonly cpuAt?: (hour: number) => number } = {},
) {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const created_at = instant(today - 2 * dayMs);
  const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
  const asleep = { current_state: 'idle', created_at, updated_at: created_at, ...size };
  const hours = Array.from({ length: 67 }, (_, index) => index - 40);
  const readings = hours.map(hour => {
    const at = today + hour * hourMs + 600_000;
    const seconds = activeAt(hour);
    const active = seconds === undefined ? {} : { active_time: seconds };
    return [
      projectsReading(at, [wireProject('p', { created_at, cpu_used_sec: cpuAt(hour), ...active })]),
      projectReading(at, 'p', {
        endpoints: [wireEndpoint('ep-1', asleep)],
        operations: [wireOperation('o1', { action: 'create_timeline', created_at, updated_at: created_at })],
      }),
    ];
  });
  const first = folder.open();
  first.commit(readings.slice(0, 52).flat());
  // A restart forgets nothing of it.
  folder.reopen(first).commit(readings.slice(52).flat());
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  return reader.look().compareAwake('main');
}

test('a project that sleeps and that the service says so of agrees', () => {
  expect(compareSleeping(() => 500)).toEqual([]);
});

test('time that the service says a project was awake, and nobody saw, is a drift of the last whole day', () => {
  expect(compareSleeping(hour => 900 * (hour + 40))).toEqual([
    { account: 'main', project_id: 'p', likelyWrong: 'active_time', driftSeconds: 24 * 900 },
  ]);
});

test('what nobody saw is likely wrong where the counter tells of it too', () => {
  const all = { cpuAt: (hour: number) => 900 * (hour + 40) };
  expect(compareSleeping(hour => 900 * (hour + 40), all)).toEqual([
    { account: 'main', project_id: 'p', likelyWrong: 'reconstructed', driftSeconds: 24 * 900 },
  ]);
});

test('a period that begins in the day ends what is compared, and drifts no further', () => {
  // Set back at ten in the morning of the day before, from when on it is told truly.
  expect(compareSleeping(hour => (hour < -14 ? 900 * (hour + 40) : 0))).toEqual([]);
  expect(compareSleeping(hour => (hour < 10 ? 0 : 900 * (hour - 10)))).toEqual([
    { account: 'main', project_id: 'p', likelyWrong: 'active_time', driftSeconds: 14 * 900 },
  ]);
  // Set back in the middle of the last whole day: its longest part tells.
  expect(compareSleeping(hour => (hour < 15 ? 900 * (hour + 40) : 0))).toEqual([]);
});

test('a service that does not tell awake time, or not any more, leaves nothing to compare', () => {
  expect(compareSleeping(() => undefined)).toBeUndefined();
  expect(compareSleeping(hour => (hour < 20 ? 900 * (hour + 40) : undefined))).toBeUndefined();
});

test.each([
  ['they agree', { metered: 10 * hourMs, reported: 10 * hourMs, unsure: 0, bounds: awake }, undefined],
  ['an hour apart is close', { metered: hourMs, reported: 0, unsure: 0, bounds: awake }, undefined],
  ['a tenth apart is close', { metered: 100 * hourMs, reported: 91 * hourMs, unsure: 0 }, undefined],
  [
    'the meter is possible',
    { metered: 10 * hourMs, reported: 30 * hourMs, unsure: 0, bounds: awake },
    'reported',
  ],
  [
    'the counter is possible',
    { metered: 2 * hourMs, reported: 10 * hourMs, unsure: 0, bounds: awake },
    'metered',
  ],
  [
    'neither is possible',
    { metered: 2 * hourMs, reported: 30 * hourMs, unsure: 0, bounds: awake },
    'unknown',
  ],
  ['nobody saw endpoints', { metered: 2 * hourMs, reported: 30 * hourMs, unsure: 0 }, 'unknown'],
  [
    'it may be of another day',
    { metered: 2 * hourMs, reported: 30 * hourMs, unsure: 28 * hourMs },
    undefined,
  ],
])('%s', (_, figures, wrong) => {
  expect(doubtLedgers(figures)).toBe(wrong);
});

/** Projects that use these seconds an hour by their counters, and are metered alike. */
function compare(usedAnHour: Readonly<Record<string, number>>, metered: Readonly<Record<string, number>>) {
  using folder = new HistoryFolder();
  const history = folder.open({ collectors: [...collectors, ...optionalCollectors] });
  for (let hour = -30; hour <= 14; hour += 1) {
    const listed = Object.entries(usedAnHour).map(([id, used]) => ({
      id,
      cpu_used_sec: used * (hour + 30),
      created_at: '2026-11-19T18:00:00Z',
    }));
    history.commitOne(projectsReading(today + hour * hourMs, listed));
  }
  const day = Array.from({ length: 24 }, (_, hour) => today - dayMs + hour * hourMs);
  const wire = Object.entries(metered).map(([id, compute_unit_seconds]) =>
    wireConsumption(
      id,
      day.map(at => wireTimeframe(at, at + hourMs, { compute_unit_seconds })),
    ),
  );
  const at = today + 14 * hourMs;
  // Read twice, it is known not to grow any more.
  history.commitOne(consumptionReading(at, wire));
  history.commitOne(consumptionReading(at, wire));
  const reader = new UsageReader(folder.file, ['main']);
  const compared = reader.look().compareLedgers('main');
  reader.close();
  return compared;
}

test('the last day that both ledgers tell is compared, project by project', () => {
  expect(compare({ alike: 1800, apart: 3600 }, { alike: 1800, apart: 600 })).toEqual({
    reportedComputeSeconds: 24 * 5400,
    meteredComputeSeconds: 24 * 2400,
    fromAt: today - dayMs,
    drifting: [
      {
        ...{ account: 'main', project_id: 'apart', likelyWrong: 'unknown' },
        ...{ driftComputeSeconds: 24 * 3000, meteredComputeSeconds: 24 * 600 },
      },
    ],
  });
});

test('a comparison is kept until the day comes to something else', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ collectors: [...collectors, ...optionalCollectors] });
  for (let hour = -30; hour <= 14; hour += 1) {
    history.commitOne(projectsReading(today + hour * hourMs, [{ id: 'p', cpu_used_sec: 60 * (hour + 30) }]));
  }
  const reader = new UsageReader(folder.file, ['main']);
  const meter = (compute_unit_seconds: number) => {
    const frame = wireTimeframe(today - dayMs, today, { compute_unit_seconds });
    for (const granularity of ['daily', 'hourly'] as const) {
      const wire = granularity === 'daily' ? [wireConsumption('p', [frame])] : [];
      history.commitOne(consumptionReading(today + 14 * hourMs, wire, { granularity }));
    }
    return reader.look().compareLedgers('main');
  };
  const first = meter(1440);
  expect(first).toMatchObject({ meteredComputeSeconds: 1440, drifting: [] });
  expect(reader.look().compareLedgers('main')).toBe(first);
  expect(meter(90_000)).toMatchObject({
    drifting: [{ project_id: 'p', driftComputeSeconds: 1440 - 90_000 }],
  });
  reader.close();
});

test('without a meter nothing is compared', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p', cpu_used_sec: 5 }]);
  const reader = new UsageReader(folder.file, ['main']);
  expect(reader.look().compareLedgers('main')).toBeUndefined();
  reader.close();
  folder.close(history);
});

/** A project whose endpoint is awake for the ten minutes of its life, at a size or at none that is reported. */
function reconstruct(limits: Readonly<Record<string, number | null>>) {
  const created_at = '2026-11-21T09:50:00Z';
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(
    projectsReading(startAt - 5 * minute, [wireProject('p', { created_at, cpu_used_sec: 300 })]),
  );
  const read = {
    endpoints: [wireEndpoint('ep-1', { created_at, current_state: 'active', ...limits })],
    operations: [
      wireOperation('o1', {
        action: 'start_compute',
        endpoint_id: 'ep-1',
        created_at,
        updated_at: created_at,
      }),
    ],
  };
  history.commitOne(projectReading(startAt - 5 * minute, 'p', read));
  history.commitOne(projectsReading(startAt, [wireProject('p', { created_at, cpu_used_sec: 600 })]));
  history.commitOne(projectReading(startAt, 'p', read));
  const reader = new UsageReader(folder.file, ['main']);
  onTestFinished(() => reader.close());
  return reader.look().reconstruction('main');
}

test('what an endpoint used lies between what it can have used at its sizes', () => {
  expect(reconstruct({ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 })).toEqual({
    reportedComputeSeconds: 600,
    lowerComputeSeconds: 600,
    upperComputeSeconds: 1200,
  });
});

test('of an endpoint without a size nothing can be compared', () => {
  expect(reconstruct({ autoscaling_limit_min_cu: null, autoscaling_limit_max_cu: null })).toBeUndefined();
});
