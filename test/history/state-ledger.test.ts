import { describe, expect, test } from 'vitest';
import { chartCompute } from '../../src/history/ledger/compute-ledger.ts';
import {
  type BegunInterval,
  dateEvent,
  enter,
  listWitnessed,
  mergeWitnessed,
  type Observation,
  open,
  type Transition,
} from '../../src/history/ledger/state-ledger.ts';

/** Instants are seconds here, for the eye; the ledger has milliseconds. */
const at = (seconds: number) => seconds * 1000;
const change = (seconds: number, state: string): Transition => ({ at: at(seconds), state });
const seen = (seconds: number, state: string, more: Partial<Observation> = {}): Observation => ({
  at: at(seconds),
  state,
  changing: false,
  ...more,
});
const ledger = (state: string, sinceSec: number, untilSec: number) => ({
  state,
  sinceAt: at(sinceSec),
  untilAt: at(untilSec),
});
function inSeconds({ ledger, begun, durations }: ReturnType<typeof enter>) {
  return {
    now: `${ledger.state} ${ledger.sinceAt / 1000}-${ledger.untilAt / 1000}`,
    begun: begun.map(interval => `${interval.state} ${interval.at / 1000}`),
    spent: Object.fromEntries([...durations].map(([state, ms]) => [state, ms / 1000])),
  };
}

describe('a ledger opens', () => {
  test('at the creation of the endpoint, in init, when the operations reach back to it', () => {
    const entry = open(at(0), at(0), [change(3, 'active'), change(303, 'idle')], seen(400, 'idle'));
    expect(inSeconds(entry)).toEqual({
      now: 'idle 303-400',
      begun: ['init 0', 'active 3', 'idle 303'],
      spent: { init: 3, active: 300, idle: 97 },
    });
  });

  test('at the first known change of state when older operations were deleted by the service', () => {
    const entry = open(at(0), at(200), [change(210, 'active')], seen(400, 'active'));
    expect(inSeconds(entry)).toEqual({
      now: 'active 210-400',
      begun: ['active 210'],
      spent: { active: 190 },
    });
  });

  test('not in the future, whatever the service says of the creation', () => {
    const entry = open(at(9_000_000), at(0), [], seen(400, 'idle'));
    expect(inSeconds(entry)).toEqual({ now: 'idle 400-400', begun: ['idle 400'], spent: {} });
  });

  test('at the observation when no change of state is known', () => {
    const entry = open(undefined, undefined, [], seen(400, 'idle'));
    expect(inSeconds(entry)).toEqual({ now: 'idle 400-400', begun: ['idle 400'], spent: {} });
  });
});

describe('an open ledger', () => {
  test('accounts until the observation for the state it is in', () => {
    expect(inSeconds(enter(ledger('idle', 100, 200), [], seen(260, 'idle')))).toEqual({
      now: 'idle 100-260',
      begun: [],
      spent: { idle: 60 },
    });
  });

  test('enters a start and the suspend after it, in whichever order they come', () => {
    const changes = [change(550, 'idle'), change(250, 'active')];
    expect(inSeconds(enter(ledger('idle', 100, 200), changes, seen(600, 'idle')))).toEqual({
      now: 'idle 550-600',
      begun: ['active 250', 'idle 550'],
      spent: { idle: 100, active: 300 },
    });
  });

  test('of two changes in the same second believes the one given last', () => {
    const changes = [change(300, 'idle'), change(300, 'active')];
    expect(inSeconds(enter(ledger('active', 100, 200), changes, seen(400, 'active'))).now).toBe(
      'active 300-400',
    );
  });

  test('enters a late change from where its time is still open', () => {
    expect(inSeconds(enter(ledger('active', 100, 200), [change(195, 'idle')], seen(260, 'idle')))).toEqual({
      now: 'idle 200-260',
      begun: ['idle 200'],
      spent: { idle: 60 },
    });
  });

  test('enters two late changes in their order', () => {
    const changes = [change(150, 'active'), change(180, 'idle')];
    expect(inSeconds(enter(ledger('idle', 100, 200), changes, seen(260, 'idle')))).toMatchObject({
      now: 'idle 200-260',
      spent: { idle: 60 },
    });
  });

  test('ignores a change older than the one it stands on', () => {
    expect(inSeconds(enter(ledger('active', 100, 200), [change(90, 'idle')], seen(260, 'active')))).toEqual({
      now: 'active 100-260',
      begun: [],
      spent: { active: 60 },
    });
  });

  test('believes what is observed over operations that say nothing, dated by the last update', () => {
    const observation = seen(260, 'stopped', { updatedAt: at(230) });
    expect(inSeconds(enter(ledger('active', 100, 200), [], observation))).toEqual({
      now: 'stopped 230-260',
      begun: ['stopped 230'],
      spent: { active: 30, stopped: 30 },
    });
  });

  test('without a date of update changes at the observation', () => {
    expect(inSeconds(enter(ledger('active', 100, 200), [], seen(260, 'stopped')))).toEqual({
      now: 'stopped 260-260',
      begun: ['stopped 260'],
      spent: { active: 60 },
    });
  });

  test('does not believe an observation while a change is under way or has just been made', () => {
    const changing = seen(260, 'idle', { changing: true });
    expect(inSeconds(enter(ledger('active', 100, 200), [], changing)).now).toBe('active 100-260');
    const settling = enter(ledger('idle', 100, 200), [change(257, 'active')], seen(260, 'idle'));
    expect(inSeconds(settling).now).toBe('active 257-260');
  });

  test('enters a change later than the observation after it', () => {
    expect(inSeconds(enter(ledger('idle', 100, 200), [change(262, 'active')], seen(260, 'idle')))).toEqual({
      now: 'active 262-262',
      begun: ['active 262'],
      spent: { idle: 62 },
    });
  });

  test('takes no time back when the clock goes back', () => {
    expect(inSeconds(enter(ledger('active', 100, 200), [], seen(150, 'idle')))).toEqual({
      now: 'active 100-200',
      begun: [],
      spent: {},
    });
  });
});

test('an event is dated by the service, but not later than a minute after it was read', () => {
  expect(dateEvent(at(100), at(400))).toBe(at(100));
  expect(dateEvent(at(430), at(400))).toBe(at(430));
  expect(dateEvent(at(9_000_000), at(400))).toBe(at(460));
  expect(dateEvent(undefined, at(400))).toBe(at(400));
});

const active = (seconds: number): Transition => ({ at: at(seconds), state: 'active' });
const idle = (seconds: number): Transition => ({ at: at(seconds), state: 'idle' });
const witness = (
  state: string,
  started: number | null,
  suspended: number | null,
  created: number | null = 0,
) =>
  listWitnessed(
    {
      state,
      startedAt: started === null ? null : at(started),
      suspendedAt: suspended === null ? null : at(suspended),
      createdAt: created === null ? null : at(created),
    },
    at(10_000),
  );

test('an endpoint dates its last start and its last suspension', () => {
  expect(witness('active', 900, 300)).toEqual([idle(300), active(900)]);
  expect(witness('idle', 900, 1200.5)).toEqual([active(900), idle(1200.5)]);
  expect(witness('active', 900, null)).toEqual([active(900)]);
  expect(witness('idle', null, null)).toEqual([]);
});

test('dates that contradict the state or each other, are to come or before the creation are no evidence', () => {
  expect(witness('idle', 900, 300)).toEqual([]);
  expect(witness('active', 900, 900)).toEqual([]);
  expect(witness('init', 900, null)).toEqual([]);
  expect(witness('active', 10_001, 300)).toEqual([]);
  expect(witness('active', 900, 300, 400)).toEqual([]);
});

test('a change that an operation shows too is there once, at its exact instant', () => {
  const merged = mergeWitnessed(
    ledger('idle', 0, 500),
    [active(904), idle(1205)],
    [active(903.25), idle(1204.5)],
  );
  expect(merged).toEqual([active(903.25), idle(1204.5)]);
  const repeated = mergeWitnessed(
    ledger('idle', 0, 500),
    [active(904), idle(1205), active(1240)],
    [active(1238.1)],
  );
  expect(repeated).toEqual([active(904), idle(1205), active(1238.1)]);
});

test('a time awake between two readings that no operation shows is entered', () => {
  const before = ledger('idle', 100, 500);
  const entry = enter(before, mergeWitnessed(before, [], [active(600.5), idle(900.75)]), {
    at: at(1000),
    state: 'idle',
    changing: false,
  });
  expect(entry.begun).toEqual([active(600.5), idle(900.75)]);
  expect(Object.fromEntries(entry.durations)).toEqual({ idle: at(100.5 + 99.25), active: at(300.25) });
});

test('what is known is never taken back, and a change that was entered is not entered again', () => {
  const known = ledger('idle', 903, 1000);
  expect(mergeWitnessed(known, [], [active(600), idle(902.5)])).toEqual([]);
  expect(mergeWitnessed(ledger('active', 999, 1000), [], [idle(1001), active(1002)])).toEqual([]);
});

test('a ledger that opens begins at the first of them', () => {
  const entry = open(undefined, undefined, mergeWitnessed(undefined, [], [active(600), idle(900)]), {
    at: at(1000),
    state: 'idle',
    changing: false,
  });
  expect(entry.begun).toEqual([active(600), idle(900)]);
});

const size = { minCu: 1, maxCu: 2 };
const rest = { lowerCu: 0, upperCu: 0 };
const awakeRate = { lowerCu: 1, upperCu: 2 };

function chart(begun: readonly BegunInterval[], untilAt: number) {
  return chartCompute({ fromAt: 0, untilAt, state: 'idle', begun, sizeBefore: size, sizeAfter: size });
}

test('a rate begins with each state, and of what is in doubt both are possible', () => {
  const doubt = { fromAt: 10, untilAt: 40 };
  expect(
    chart(
      [
        { at: 5, state: 'active' },
        { at: 20, state: 'idle', doubt },
        { at: 50, state: 'active' },
        { at: 55, state: 'warming' },
      ],
      60,
    ),
  ).toEqual([
    { fromAt: 0, ...rest },
    { fromAt: 5, ...awakeRate },
    { fromAt: 10, lowerCu: 0, upperCu: 2 },
    { fromAt: 40, ...rest },
    { fromAt: 50, ...awakeRate },
    // An unknown state may use compute or not.
    { fromAt: 55, lowerCu: 0, upperCu: 2 },
  ]);
});

test('years of changes are charted at once', () => {
  const begun = Array.from({ length: 200_000 }, (_, at) => ({ at, state: at % 2 === 0 ? 'active' : 'idle' }));
  const rates = chart(begun, begun.length);
  expect(rates.length).toBe(200_000);
  expect(rates.at(-1)).toEqual({ fromAt: 199_999, ...rest });
});
