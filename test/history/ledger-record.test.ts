import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterWatch } from '../support/counter-watch.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  instant,
  projectReading,
  second,
  startAt,
  type WireItem,
  wireEndpoint,
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
