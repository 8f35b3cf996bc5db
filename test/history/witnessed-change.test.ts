import { expect, test } from 'vitest';
import { enter, open, type Transition } from '../../src/history/ledger/state-ledger.ts';
import { listWitnessed, mergeWitnessed } from '../../src/history/ledger/witnessed-change.ts';

/** Instants are seconds here, for the eye; the ledger has milliseconds. */
const at = (seconds: number) => seconds * 1000;
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
const ledger = (state: string, sinceSec: number, untilSec: number) => ({
  state,
  sinceAt: at(sinceSec),
  untilAt: at(untilSec),
});

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
