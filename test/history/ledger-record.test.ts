import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterWatch } from '../support/counter-watch.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  importReading,
  instant,
  minute,
  projectReading,
  second,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
} from '../support/reading-builder.ts';

interface Change {
  readonly action: 'start_compute' | 'suspend_compute';
  /** Seconds after the endpoint was created. */
  readonly beginsSec: number;
  readonly endsSec: number;
}

/** An endpoint from its creation: init, then active and idle in turn, each change made by an operation. */
const timeline: fc.Arbitrary<readonly Change[]> = fc
  .array(fc.tuple(fc.oneof(fc.nat(5), fc.nat(4000)), fc.integer({ min: 1, max: 6 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map(steps => {
    const changes: Change[] = [];
    let clockSec = 0;
    for (const [index, [waitSec, lastsSec]] of steps.entries()) {
      const beginsSec = index === 0 ? 0 : clockSec + waitSec;
      clockSec = beginsSec + lastsSec;
      const action = index % 2 === 0 ? 'start_compute' : 'suspend_compute';
      changes.push({ action, beginsSec, endsSec: clockSec });
    }
    return changes;
  });

const stateAfter = { start_compute: 'active', suspend_compute: 'idle' };

function stateAt(changes: readonly Change[], sec: number): string {
  const last = changes.findLast(({ endsSec }) => endsSec <= sec);
  return last === undefined ? 'init' : stateAfter[last.action];
}

function operationsAt(changes: readonly Change[], sec: number): WireItem[] {
  return changes
    .map(({ action, beginsSec, endsSec }, index) => ({
      id: `op-${index}`,
      endpoint_id: 'ep-1',
      action,
      status: endsSec <= sec ? 'finished' : 'running',
      created_at: instant(startAt + beginsSec * second),
      updated_at: instant(startAt + Math.min(sec, endsSec) * second),
      beginsSec,
    }))
    .filter(({ beginsSec }) => beginsSec <= sec)
    .reverse();
}

function truthAt(changes: readonly Change[], untilSec: number): Record<string, number> {
  const spent: Record<string, number> = {};
  const borders = [0, ...changes.map(({ endsSec }) => endsSec).filter(sec => sec < untilSec), untilSec];
  for (const [index, fromSec] of borders.entries()) {
    const toSec = borders[index + 1];
    if (toSec === undefined || toSec === fromSec) continue;
    const state = stateAt(changes, fromSec);
    spent[state] = (spent[state] ?? 0) + toSec - fromSec;
  }
  return spent;
}

function spentIn(history: Parameters<typeof viewOf>[0]): Record<string, number> {
  const durations = viewOf(history, startAt).projects[0]?.endpoints[0]?.stateDurations ?? [];
  return Object.fromEntries(durations.map(({ state, durationMs }) => [state, durationMs / second]));
}

/** From the first interval of the only ledger until where its time is accounted for. */
function ledgerSpan(file: string): { beginsAt: number; untilAt: number } {
  const database = new Database(file, { readonly: true });
  try {
    const span = database
      .prepare<[], { beginsAt: number; untilAt: number }>(
        `SELECT min(from_at) AS beginsAt, ledger_until_at AS untilAt
         FROM endpoint JOIN state_interval USING (endpoint_ref) WHERE endpoint_id = 'ep-1'`,
      )
      .get();
    if (span === undefined) throw new Error('there is no ledger');
    return span;
  } finally {
    database.close();
  }
}

const created_at = instant(startAt);
const pollsSec = fc
  .array(fc.nat(15_000), { minLength: 1, maxLength: 10 })
  .map(polls => polls.toSorted((a, b) => a - b));

test('time in each state equals the truth up to the last reading, however seldom it was read', () => {
  fc.assert(
    fc.property(timeline, pollsSec, fc.nat(9), (changes, polls, restartBefore) => {
      using folder = new HistoryFolder();
      const watch = new CounterWatch();
      let history = folder.openListed([{ id: 'p' }]);
      for (const [index, sec] of polls.entries()) {
        if (index === restartBefore) history = folder.reopen(history);
        const endpoints = [wireEndpoint('ep-1', { created_at, current_state: stateAt(changes, sec) })];
        const operations = operationsAt(changes, sec);
        history.record(projectReading(startAt + sec * second, 'p', { endpoints, operations }));
        watch.see(viewAll(history, startAt));
        expect(spentIn(history)).toEqual(truthAt(changes, sec));
      }
    }),
    { numRuns: 30 },
  );
});

test('though states and operations contradict each other, no second is lost, invented or taken back', () => {
  const observed = fc.record({
    sec: fc.nat(15_000),
    state: fc.constantFrom('active', 'idle', 'stopped', 'warming'),
    pending_state: fc.constantFrom(undefined, 'active'),
    updatedSec: fc.nat(20_000),
    startedSec: fc.option(fc.nat(20_000), { nil: undefined }),
    suspendedSec: fc.option(fc.nat(20_000), { nil: undefined }),
    hidden: fc.nat(3),
  });
  fc.assert(
    fc.property(timeline, fc.array(observed, { minLength: 1, maxLength: 10 }), (changes, observations) => {
      using folder = new HistoryFolder();
      const watch = new CounterWatch();
      const history = folder.openListed([{ id: 'p' }]);
      for (const { sec, state, pending_state, hidden, ...dates } of observations) {
        const updated_at = instant(startAt + dates.updatedSec * second);
        const dated = {
          ...(dates.startedSec !== undefined && { started_at: instant(startAt + dates.startedSec * second) }),
          ...(dates.suspendedSec !== undefined && {
            suspended_at: instant(startAt + dates.suspendedSec * second),
          }),
        };
        const endpoints = [
          wireEndpoint('ep-1', { created_at, current_state: state, pending_state, updated_at, ...dated }),
        ];
        const operations = operationsAt(changes, sec).slice(hidden);
        history.record(projectReading(startAt + sec * second, 'p', { endpoints, operations }));
        watch.see(viewAll(history, startAt));
      }
      const { beginsAt, untilAt } = ledgerSpan(folder.file);
      expect(Object.values(spentIn(history)).reduce((sum, spentSec) => sum + spentSec, 0)).toBe(
        (untilAt - beginsAt) / second,
      );
    }),
    { numRuns: 30 },
  );
});

test('an import that ends later opens the ledger with all changes since the creation', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const changes: Change[] = [
    { action: 'start_compute', beginsSec: 0, endsSec: 3 },
    { action: 'suspend_compute', beginsSec: 300, endsSec: 303 },
  ];
  const [suspend, start] = operationsAt(changes, 600);
  const progress = { headAt: startAt, tailCursor: 'more' };
  const endpoints = [wireEndpoint('ep-1', { created_at, current_state: 'idle' })];
  const readAt = startAt + 10 * minute;
  history.record(projectReading(readAt, 'p', { endpoints, operations: [suspend] }, { progress }));
  expect(spentIn(history)).toEqual({});
  history.record(importReading(readAt + minute, 'p', [start]));
  expect(spentIn(history)).toEqual({ init: 3, active: 300, idle: 297 });
});

test('changes that came between reading the endpoints and reading the operations are dated as they happened', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const changes: Change[] = [
    { action: 'start_compute', beginsSec: 0, endsSec: 3 },
    { action: 'suspend_compute', beginsSec: 300, endsSec: 303 },
    { action: 'start_compute', beginsSec: 900, endsSec: 903 },
  ];
  const read = (endpointsSec: number, operationsSec: number) => {
    const current_state = stateAt(changes, endpointsSec);
    const endpoints = [wireEndpoint('ep-1', { created_at, current_state })];
    const operations = operationsAt(changes, operationsSec);
    const reading = projectReading(startAt + endpointsSec * second, 'p', { endpoints, operations });
    const servedAt = startAt + operationsSec * second;
    history.record({
      ...reading,
      ...(reading.operations && { operations: { ...reading.operations, servedAt } }),
    });
  };
  read(60, 60);
  read(120, 1000);
  expect(spentIn(history)).toEqual({ init: 3, active: 300, idle: 600 });
  read(1200, 1200);
  expect(spentIn(history)).toEqual({ init: 3, active: 597, idle: 600 });
});

test('reassigning an idle endpoint changes nothing about its time: it stays idle', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const read = (sec: number, branch_id: string, operations: readonly WireItem[]) => {
    const endpoints = [wireEndpoint('ep-1', { branch_id, pending_state: 'idle', created_at })];
    history.record(projectReading(startAt + sec * second, 'p', { endpoints, operations }));
  };
  const suspend = {
    id: 's',
    endpoint_id: 'ep-1',
    action: 'suspend_compute',
    created_at: instant(startAt + 60_000),
  };
  read(0, 'br-1', []);
  read(60, 'br-2', [{ ...suspend, status: 'scheduling', updated_at: suspend.created_at }]);
  read(120, 'br-2', [{ ...suspend, status: 'finished', updated_at: instant(startAt + 62_000) }]);
  expect(spentIn(history)).toEqual({ idle: 120 });
});

test('an operation dated in 2099 adds no years to a state, read as it ends or imported', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }, { id: 'q' }]);
  const updated_at = '2099-01-01T00:00:00Z';
  const endpoints = [wireEndpoint('ep-1', { current_state: 'active' })];
  const suspend = wireOperation('b', { action: 'suspend_compute', updated_at });
  history.record(projectReading(startAt, 'p', { endpoints, operations: [] }));
  history.record(projectReading(startAt + minute, 'p', { endpoints, operations: [suspend] }));
  history.record(projectReading(startAt + minute, 'q', { endpoints, operations: [suspend] }));
  expect(spentIn(history)).toEqual({ active: 120 });
  const [, imported] = viewOf(history, startAt).projects;
  expect(imported?.endpoints[0]?.stateDurations).toEqual([]);
});

test.each([
  ['created one after the other', 50],
  ['created in the same second', 58],
])('of a suspend and a start that end in the same second, %s, the newer one counts', (_, suspendSec) => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  const endpoints = [wireEndpoint('ep-1', { current_state: 'active' })];
  const operation = (action: string, beginsSec: number) =>
    wireOperation(action, {
      action,
      created_at: instant(startAt + beginsSec * second),
      updated_at: instant(startAt + minute),
    });
  const operations = [operation('start_compute', 58), operation('suspend_compute', suspendSec)];
  history.record(projectReading(startAt, 'p', { endpoints, operations: [] }));
  history.record(projectReading(startAt + 2 * minute, 'p', { endpoints, operations }));
  expect(spentIn(history)).toEqual({ active: 120 });
});
