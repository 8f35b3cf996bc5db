import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterWatch } from '../support/counter-watch.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  instant,
  projectReading,
  projectsReading,
  second,
  startAt,
  type WireItem,
  wireEndpoint,
} from '../support/reading-builder.ts';
import { sampleValue } from '../support/sample-line.ts';
import { runs } from '../support/seed.ts';

interface History {
  readonly action: string;
  readonly endpoint_id: string | undefined;
  readonly createdSec: number;
  readonly lastsSec: number;
  /** The status it ends with; undefined when it never ends. */
  readonly end: string | undefined;
  readonly failures: number;
}

const operation: fc.Arbitrary<History> = fc.record({
  action: fc.constantFrom('start_compute', 'suspend_compute', 'apply_config', 'restore'),
  endpoint_id: fc.constantFrom('ep-1', 'ep-2', undefined),
  createdSec: fc.nat(100),
  lastsSec: fc.nat(60),
  end: fc.constantFrom('finished', 'finished', 'failed', 'cancelled', 'skipped', undefined),
  failures: fc.nat(3),
});

/** A page: the operations it holds, each as it was at a second after the start. */
const reading = fc.record({
  page: fc.array(fc.record({ index: fc.nat(14), asOfSec: fc.nat(180) }), { maxLength: 12 }),
  restartsBefore: fc.boolean(),
});

function asOf(operation: History, index: number, atSec: number): WireItem[] {
  if (atSec < operation.createdSec) return [];
  const endsSec = operation.createdSec + operation.lastsSec;
  const ended = operation.end !== undefined && atSec >= endsSec;
  return [
    {
      id: `op-${index}`,
      action: operation.action,
      endpoint_id: operation.endpoint_id,
      status: ended ? operation.end : 'running',
      failures_count: ended ? operation.failures : Math.min(1, operation.failures),
      created_at: instant(startAt + operation.createdSec * second),
      updated_at: instant(startAt + Math.min(atSec, endsSec) * second),
    },
  ];
}

test('readings repeated, overlapping, out of order and across restarts count every ended operation once', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 1, maxLength: 15 }),
      fc.array(reading, { maxLength: 10 }),
      (operations, readings) => {
        using folder = new HistoryFolder();
        const watch = new CounterWatch();
        let history = folder.openListed([{ id: 'p' }]);
        const read = (items: readonly WireItem[]) => {
          const endpoints = [wireEndpoint('ep-1'), wireEndpoint('ep-2')];
          history.commitOne(projectReading(startAt, 'p', { endpoints, operations: items }));
          watch.see(viewAll(history, startAt));
        };
        for (const { page, restartsBefore } of readings) {
          if (restartsBefore) history = folder.reopen(history);
          watch.see(viewAll(history, startAt));
          read(
            page.flatMap(({ index, asOfSec }) => {
              const shown = operations[index];
              return shown === undefined ? [] : asOf(shown, index, asOfSec);
            }),
          );
        }
        const everything = operations.flatMap((shown, index) => asOf(shown, index, 1000));
        read(everything);
        history = folder.reopen(history);
        read([...everything, ...everything]);
        const view = viewOf(history, startAt);
        for (const [series, count] of truthOf(operations))
          expect([series, sampleValue(view, series)]).toEqual([series, count]);
      },
    ),
    { numRuns: runs(12) },
  );
});

/** What every counter must show once all was read, by counting the operations themselves. */
function truthOf(operations: readonly History[]): ReadonlyMap<string, number> {
  const truth = new Map<string, number>();
  const add = (series: string, value: number) => truth.set(series, (truth.get(series) ?? 0) + value);
  for (const endpoint of ['ep-1', 'ep-2']) {
    add(`dbpm_endpoint_starts_total{project_id="p",endpoint_id="${endpoint}"}`, 0);
    add(`dbpm_endpoint_suspends_total{project_id="p",endpoint_id="${endpoint}"}`, 0);
  }
  for (const { action, endpoint_id, end, failures, lastsSec } of operations) {
    const seen = end === undefined ? Math.min(1, failures) : failures;
    if (seen > 0) add(`dbpm_operation_attempt_failures_total{project_id="p",action="${action}"}`, seen);
    if (end === undefined) {
      add(`dbpm_operations_in_progress{project_id="p",action="${action}",status="running"}`, 1);
      continue;
    }
    add(`dbpm_operations_total{project_id="p",action="${action}",status="${end}"}`, 1);
    add(`dbpm_operation_duration_seconds_count{action="${action}"}`, 1);
    add(`dbpm_operation_duration_seconds_sum{action="${action}"}`, lastsSec);
    if (endpoint_id === undefined || end !== 'finished') continue;
    const counter = { start_compute: 'starts', suspend_compute: 'suspends' }[action];
    if (counter) add(`dbpm_endpoint_${counter}_total{project_id="p",endpoint_id="${endpoint_id}"}`, 1);
  }
  return truth;
}

test('processor time never goes down over lists that reset, lag, lose and return projects, across restarts', () => {
  const listing = fc.record({
    used: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(2000), { nil: undefined })),
    laterMinutes: fc.nat(30),
    complete: fc.boolean(),
    restartsBefore: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(listing, { maxLength: 12 }), listings => {
      using folder = new HistoryFolder();
      const watch = new CounterWatch();
      let history = folder.open();
      let at = startAt;
      for (const { used, laterMinutes, complete, restartsBefore } of listings) {
        if (restartsBefore) history = folder.reopen(history);
        watch.see(viewAll(history, at));
        at += laterMinutes * 60 * second;
        const projects = Object.entries(used).map(([id, cpu_used_sec]) => ({ id, cpu_used_sec }));
        history.commitOne(projectsReading(at, projects, { complete }));
        watch.see(viewAll(history, at));
        history.commitOne(projectsReading(at, projects, { complete }));
        watch.see(viewAll(history, at));
      }
    }),
    { numRuns: runs(12) },
  );
});

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
        history.commitOne(projectReading(startAt + sec * second, 'p', { endpoints, operations }));
        watch.see(viewAll(history, startAt));
        expect(spentIn(history)).toEqual(truthAt(changes, sec));
      }
    }),
    { numRuns: runs(12) },
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
        history.commitOne(projectReading(startAt + sec * second, 'p', { endpoints, operations }));
        watch.see(viewAll(history, startAt));
      }
      const { beginsAt, untilAt } = ledgerSpan(folder.file);
      expect(Object.values(spentIn(history)).reduce((sum, spentSec) => sum + spentSec, 0)).toBe(
        (untilAt - beginsAt) / second,
      );
    }),
    { numRuns: runs(12) },
  );
});
