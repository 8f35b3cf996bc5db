import { expect, test } from 'vitest';
import { chooseLedger, ledgerParts } from '../../src/cost/rating/chosen-ledger.ts';
import { computeHourMs, type UsageLedger } from '../../src/resources/usage/ledger.ts';
import { stretch } from './line-text.ts';
import { ledgerOf } from './memory-ledger.ts';

const day = (date: number) => Date.parse(`2026-10-0${date}`);
const october = stretch('2026-10-01', '2026-10-08');

/** Reported: an hour a day; metered from the 3rd to the 6th: two hours a day. */
const ledger: UsageLedger = {
  ...ledgerOf([{ steps: [['2026-10-01', '2026-10-08', 7]] }], { knownFrom: '2026-10-04' }),
  reconstructedUntil: (_ref, at) => (3 * computeHourMs * (at - day(1))) / (day(2) - day(1)),
  metered: {
    others: [],
    knownSpan: account => (account === 'acme' ? { fromAt: day(3), untilAt: day(6) } : undefined),
    meteredUntil: (_ref, metric, at) =>
      metric === 'compute_unit_seconds' ? (2 * 3600 * (at - day(1))) / (day(2) - day(1)) : 0,
  },
};
/** The same, with a meter that has told no more than until the beginning of a day. */
function until(date: number): UsageLedger {
  const { metered } = ledger;
  return {
    ...ledger,
    metered: metered && {
      ...metered,
      meteredUntil: (ref, metric, at) => metered.meteredUntil(ref, metric, Math.min(at, day(date))),
    },
  };
}
const hoursADay = (chosen: UsageLedger) =>
  [1, 2, 3, 4, 5, 6, 7].map(
    date => (chosen.usedUntil(1, day(date + 1)) - chosen.usedUntil(1, day(date))) / computeHourMs,
  );

test('without a choice compute is by the meter as far as it is complete, and else by what was reported', () => {
  expect(hoursADay(chooseLedger(until(6), undefined))).toEqual([1, 1, 2, 2, 2, 1, 1]);
  expect(ledgerParts(ledger, undefined, 'acme', october)).toEqual([
    { fromAt: day(1), untilAt: day(3), ledger: 'reported' },
    { fromAt: day(3), untilAt: day(6), ledger: 'metered' },
    { fromAt: day(6), untilAt: day(8), ledger: 'reported', isOpen: true },
  ]);
});

test('of time that is not complete the meter counts where it told more so far than was reported', () => {
  expect(hoursADay(chooseLedger(until(7), undefined))).toEqual([1, 1, 2, 2, 2, 2, 0]);
  const unseen = { ...until(7), usedUntil: () => 0 };
  expect(hoursADay(chooseLedger(unseen, undefined))).toEqual([0, 0, 2, 2, 2, 2, 0]);
});

test('what is metered is known from its beginning on', () => {
  expect(chooseLedger(ledger, undefined).knownFrom('acme')).toBe(day(3));
  expect(chooseLedger(ledger, 'reported').knownFrom('acme')).toBe(day(4));
});

test('a ledger that is named is the only one', () => {
  expect(hoursADay(chooseLedger(until(7), 'metered'))).toEqual([0, 0, 2, 2, 2, 2, 0]);
  expect(hoursADay(chooseLedger(ledger, 'reported'))).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(hoursADay(chooseLedger(ledger, 'reconstructed'))).toEqual([3, 3, 3, 3, 3, 3, 3]);
  expect(ledgerParts(ledger, 'metered', 'acme', stretch('2026-10-05', '2026-10-08'))).toEqual([
    { fromAt: day(5), untilAt: day(8), ledger: 'metered' },
  ]);
  expect(ledgerParts(ledger, 'metered', 'acme', stretch('2026-10-01', '2026-10-04'))).toEqual([
    { fromAt: day(1), untilAt: day(3), ledger: undefined },
    { fromAt: day(3), untilAt: day(4), ledger: 'metered' },
  ]);
  expect(ledgerParts(ledger, 'reconstructed', 'acme', october)).toEqual([
    { ...october, ledger: 'reconstructed' },
  ]);
});

test('an account without a meter is charged by what was reported', () => {
  const { metered: _none, ...plain } = ledger;
  expect(chooseLedger(plain, undefined)).toBe(plain);
  expect(ledgerParts({}, undefined, 'acme', october)).toEqual([{ ...october, ledger: 'reported' }]);
  expect(ledgerParts(ledger, undefined, 'other', october)).toEqual([{ ...october, ledger: 'reported' }]);
});

test('projects that nothing but the meter tells of are charged, too', () => {
  const other = { project_ref: -1, account: 'acme', project_id: 'gone' };
  const metered = ledger.metered && { ...ledger.metered, others: [other] };
  const chosen = chooseLedger({ ...ledger, metered }, undefined);
  expect(chosen.projects.map(({ project_id }) => project_id)).toEqual(['project-1', 'gone']);
  expect(chosen.usedUntil(-1, day(5)) - chosen.usedUntil(-1, day(4))).toBe(2 * computeHourMs);
});
