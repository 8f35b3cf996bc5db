import { expect, onTestFinished, test } from 'vitest';
import { boundAwake } from '../../src/history/ledger/awake-bound.ts';
import { doubtAwake } from '../../src/history/ledger/ledger-doubt.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  instant,
  projectReading,
  projectsReading,
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
 * A project of which every reading of three days shows that its endpoint sleeps.
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
  first.recordAll(readings.slice(0, 52).flat());
  // A restart forgets nothing of it.
  folder.reopen(first).recordAll(readings.slice(52).flat());
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
