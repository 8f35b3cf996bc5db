import { expect, test } from 'vitest';
import { doubtLedgers } from '../../src/history/ledger/ledger-doubt.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading } from '../support/reading-builder.ts';

const cuHour = hourMs;
const awake = { lower: 9 * cuHour, upper: 11 * cuHour };

test.each([
  ['they agree', { metered: 10 * cuHour, reported: 10 * cuHour, unsure: 0, bounds: awake }, undefined],
  ['an hour apart is close', { metered: cuHour, reported: 0, unsure: 0, bounds: awake }, undefined],
  ['a tenth apart is close', { metered: 100 * cuHour, reported: 91 * cuHour, unsure: 0 }, undefined],
  [
    'the meter is possible',
    { metered: 10 * cuHour, reported: 30 * cuHour, unsure: 0, bounds: awake },
    'reported',
  ],
  [
    'the counter is possible',
    { metered: 2 * cuHour, reported: 10 * cuHour, unsure: 0, bounds: awake },
    'metered',
  ],
  [
    'neither is possible',
    { metered: 2 * cuHour, reported: 30 * cuHour, unsure: 0, bounds: awake },
    'unknown',
  ],
  ['nobody saw endpoints', { metered: 2 * cuHour, reported: 30 * cuHour, unsure: 0 }, 'unknown'],
  [
    'it may be of another day',
    { metered: 2 * cuHour, reported: 30 * cuHour, unsure: 28 * cuHour },
    undefined,
  ],
])('%s', (_, figures, wrong) => {
  expect(doubtLedgers(figures)).toBe(wrong);
});

const today = Date.UTC(2026, 10, 21);

/** Projects that use so many seconds an hour by their counters, and are metered so. */
function compare(usedAnHour: Readonly<Record<string, number>>, metered: Readonly<Record<string, number>>) {
  using folder = new HistoryFolder();
  const history = folder.open({ collectors: [...collectors, ...optionalCollectors] });
  for (let hour = -30; hour <= 14; hour += 1) {
    const listed = Object.entries(usedAnHour).map(([id, used]) => ({
      id,
      cpu_used_sec: used * (hour + 30),
      created_at: '2026-11-19T18:00:00Z',
    }));
    history.record(projectsReading(today + hour * hourMs, listed));
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
  history.record(consumptionReading(at, wire));
  history.record(consumptionReading(at, wire));
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
    history.record(projectsReading(today + hour * hourMs, [{ id: 'p', cpu_used_sec: 60 * (hour + 30) }]));
  }
  const reader = new UsageReader(folder.file, ['main']);
  const meter = (compute_unit_seconds: number) => {
    const frame = wireTimeframe(today - dayMs, today, { compute_unit_seconds });
    for (const granularity of ['daily', 'hourly'] as const) {
      const wire = granularity === 'daily' ? [wireConsumption('p', [frame])] : [];
      history.record(consumptionReading(today + 14 * hourMs, wire, { granularity }));
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
