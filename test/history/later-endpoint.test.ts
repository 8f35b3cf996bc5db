import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { CounterWatch } from '../support/counter-watch.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const exactly = (at: number) => new Date(at).toISOString();
const created_at = instant(startAt - minute);

function read(history: History, at: number, fields: WireItem, operations: readonly WireItem[] = []): void {
  const endpoints = [wireEndpoint('ep-1', { created_at, current_state: 'idle', ...fields })];
  history.record(projectReading(at, 'p', { endpoints, operations }));
}

function spentIn(history: History): Record<string, number> {
  const durations = viewOf(history, startAt).projects[0]?.endpoints[0]?.stateDurations ?? [];
  return Object.fromEntries(durations.map(({ state, durationMs }) => [state, durationMs / second]));
}

const awake = {
  started_at: exactly(startAt + 100.25 * second),
  suspended_at: exactly(startAt + 250.5 * second),
};

test('a time awake between two readings is counted to the millisecond, though no operation shows it', () => {
  using folder = new HistoryFolder();
  let history = folder.openListed([{ id: 'p' }]);
  read(history, startAt, {});
  read(history, startAt + 10 * minute, awake);
  const spent = { idle: 600 - 150.25, active: 150.25 };
  expect(spentIn(history)).toEqual(spent);
  read(history, startAt + 10 * minute, awake);
  history = folder.reopen(history);
  read(history, startAt + 10 * minute, awake);
  expect(spentIn(history)).toEqual(spent);
});

test('with its operations it is counted once, at the exact instants', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  read(history, startAt, {});
  const ended = (id: string, action: string, sec: number) =>
    wireOperation(id, {
      action,
      endpoint_id: 'ep-1',
      created_at: instant(startAt + (sec - 2) * second),
      updated_at: instant(startAt + sec * second),
    });
  const operations = [ended('b', 'suspend_compute', 252), ended('a', 'start_compute', 101)];
  read(history, startAt + 10 * minute, awake, operations);
  expect(spentIn(history)).toEqual({ idle: 600 - 150.25, active: 150.25 });
  read(history, startAt + 11 * minute, awake, operations);
  expect(spentIn(history)).toEqual({ idle: 660 - 150.25, active: 150.25 });
});

test('an operation that is read before the list shows its exact instant takes no time back', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const watch = new CounterWatch();
  read(history, startAt, {});
  const start = wireOperation('a', {
    endpoint_id: 'ep-1',
    created_at: instant(startAt + 99 * second),
    updated_at: instant(startAt + 104 * second),
  });
  read(history, startAt + 104 * second, { current_state: 'active' }, [start]);
  watch.see(viewAll(history, startAt));
  read(history, startAt + 200 * second, { current_state: 'active', started_at: awake.started_at }, [start]);
  watch.see(viewAll(history, startAt));
  expect(spentIn(history)).toEqual({ idle: 104, active: 96 });
});

test('dates that contradict the state are no evidence', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  read(history, startAt, {});
  read(history, startAt + 10 * minute, { ...awake, started_at: exactly(startAt + 300 * second) });
  read(history, startAt + 10 * minute, { started_at: exactly(startAt + 5 * 86_400_000) });
  expect(spentIn(history)).toEqual({ idle: 600 });
});

function readDelays(file: string) {
  const reader = new UsageReader(file, ['main']);
  const { usage, endpointHistories } = reader.look();
  const [project] = usage.projects;
  if (project === undefined) throw new Error('there is no project');
  const [past] = endpointHistories.endpoints(project, () => startAt);
  reader.close();
  return past?.delays;
}

test('the auto-suspend delay is shown as reported, and absent otherwise', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const shown = () => linesOf(viewOf(history, startAt), 'dbpm_endpoint_suspend_timeout_seconds');
  read(history, startAt, {});
  expect(shown()).toEqual([]);
  for (const suspend_timeout_seconds of [-1, 0, 300]) {
    read(history, startAt, { suspend_timeout_seconds });
    expect(shown()).toEqual([
      `dbpm_endpoint_suspend_timeout_seconds{project_id="p",endpoint_id="ep-1"} ${suspend_timeout_seconds}`,
    ]);
  }
});

test('an endpoint with the default has the auto-suspend delay that the list says of its project at the time', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const readings = [
    [0, 0, undefined],
    [1, 0, 300],
    [2, 0, -1],
    [3, 60, 900],
    [4, 0, 900],
    [5, 0, 0],
    [6, 0, 'long'],
    [7, 0, 120],
  ] as const;
  for (const [minutes, own, byDefault] of readings) {
    const at = startAt + minutes * minute;
    const default_endpoint_settings = { suspend_timeout_seconds: byDefault };
    history.record(projectsReading(at, [{ id: 'p', default_endpoint_settings }]));
    read(history, at, { suspend_timeout_seconds: own });
  }
  read(history, startAt + 8 * minute, { suspend_timeout_seconds: 0 });
  folder.close(history);
  expect(readDelays(folder.file)).toEqual([
    { fromAt: startAt },
    { fromAt: startAt + minute, delayMs: 300_000 },
    { fromAt: startAt + 2 * minute, delayMs: Number.POSITIVE_INFINITY },
    { fromAt: startAt + 3 * minute, delayMs: 60_000 },
    { fromAt: startAt + 4 * minute, delayMs: 900_000 },
    { fromAt: startAt + 5 * minute },
    { fromAt: startAt + 6 * minute },
    { fromAt: startAt + 7 * minute, delayMs: 120_000 },
  ]);
});

test('auto-suspend delays are remembered where they change', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const readings = [
    [0, 300],
    [1, 300],
    [2, -1],
    [3, 0],
    [4, undefined],
    [5, 'long'],
    [6, 60],
  ] as const;
  for (const [minutes, suspend_timeout_seconds] of readings) {
    const at = startAt + minutes * minute;
    history.record(projectsReading(at, [{ id: 'p' }]));
    read(history, at, { suspend_timeout_seconds });
  }
  read(history, startAt + 7 * minute, { suspend_timeout_seconds: 60 });
  folder.close(history);
  expect(readDelays(folder.file)).toEqual([
    { fromAt: startAt, delayMs: 300_000 },
    { fromAt: startAt + 2 * minute, delayMs: Number.POSITIVE_INFINITY },
    { fromAt: startAt + 3 * minute },
    { fromAt: startAt + 4 * minute },
    { fromAt: startAt + 6 * minute, delayMs: 60_000 },
  ]);
});
