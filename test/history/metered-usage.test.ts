import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadRest } from '../../src/history/ledger/even-rest.ts';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import type { ReportHistory } from '../../src/history/usage/report-history.ts';
import { dayMs, hourMs } from '../../src/resources/duration.ts';
import type { Granularity } from '../../src/resources/meter.ts';
import type { MeteredLedger } from '../../src/resources/usage/ledger.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../support/meter-builder.ts';
import { projectsReading, startAt } from '../support/reading-builder.ts';

const metric = 'root_branch_bytes_month';
const at = (text: string) => Date.parse(text);

type Told = readonly [granularity: Granularity, fromAt: number, untilAt: number, amount: number];

/** What reports read of a project `p` that was told of so, and of one that is no more. */
function read<Found>(
  told: readonly Told[],
  look: (metered: MeteredLedger | undefined, meter: ReportHistory['meter']) => Found,
): Found {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(startAt, [{ id: 'p' }]));
  for (const [granularity, all] of Map.groupBy(told, ([each]) => each)) {
    const frames = all.map(([, fromAt, untilAt, amount]) =>
      wireTimeframe(fromAt, untilAt, { [metric]: amount }),
    );
    const wire = [wireConsumption('p', frames), wireConsumption('gone', frames)];
    for (const readAt of [startAt, startAt + hourMs])
      history.commitOne(consumptionReading(readAt, wire, { granularity }));
  }
  const found = readReportHistories(
    [folder.file],
    known => known,
    ({ usage, meter }) => look(usage.metered, meter),
  );
  if (found === undefined) throw new Error('there is no history');
  return found;
}

const days = (first: string, ...amounts: readonly number[]): Told[] =>
  amounts.map((amount, index) => {
    const fromAt = at(first) + index * dayMs;
    return ['daily', fromAt, fromAt + dayMs, amount];
  });

test('days add up to what they were told to be, and grow evenly within', () => {
  const amounts = read(days('2026-11-10', 240, 0, 48), metered =>
    ['2026-11-10', '2026-11-10T12:00', '2026-11-11', '2026-11-12', '2026-11-12T01:30', '2026-12-24'].map(
      when => metered?.meteredUntil(1, metric, at(`${when}${when.includes('T') ? 'Z' : ''}`)),
    ),
  );
  expect(amounts).toEqual([0, 120, 240, 240, 243, 288]);
});

test('hours are exact where they are known, and the rest of their day is before them', () => {
  const midnight = at('2026-11-20');
  const told: Told[] = [
    ['hourly', midnight + 22 * hourMs, midnight + 23 * hourMs, 5],
    ['hourly', midnight + 23 * hourMs, midnight + 24 * hourMs, 7],
    ...days('2026-11-20', 34),
  ];
  const amounts = read(told, metered =>
    [0, 11, 22, 23, 23.5, 24].map(hour => metered?.meteredUntil(1, metric, midnight + hour * hourMs)),
  );
  expect(amounts).toEqual([0, 11, 22, 27, 30, 34]);
});

test.each([
  ['is known where its day came to no more', 2, undefined],
  ['is estimated where its day came to more', 4, { fromAt: at('2026-11-21'), untilAt: startAt + hourMs }],
])('use of an hour that may have grown since it was told %s', (_, daily, sum) => {
  const midnight = at('2026-11-21');
  const told: Told[] = [['hourly', midnight, midnight + hourMs, 2], ...days('2026-11-21', daily)];
  const found = read(told, (_metered, meter) => [meter.sumAround('main', midnight + hourMs)]);
  expect(found).toEqual([sum]);
});

test('of a month whose first days are not kept the rest is before those that are', () => {
  const told: Told[] = [
    ['monthly', at('2026-09-01'), at('2026-10-01'), 300],
    ['monthly', at('2026-10-01'), at('2026-11-01'), 100],
    ...days('2026-10-21', 20, 20, ...Array.from({ length: 9 }, () => 0)),
  ];
  const amounts = read(told, metered =>
    ['2026-09-16', '2026-10-01', '2026-10-11', '2026-10-21', '2026-10-22', '2026-11-01'].map(when =>
      metered?.meteredUntil(1, metric, at(when)),
    ),
  );
  expect(amounts).toEqual([150, 300, 330, 360, 380, 400]);
});

test('the account is known from its first timeframe until where nothing grows any more', () => {
  const told: Told[] = [
    ['monthly', at('2026-08-17'), at('2026-09-01'), 10],
    ...days('2026-11-10', ...Array.from({ length: 10 }, () => 5)),
  ];
  const spans = read(told, metered => [metered?.knownSpan('main'), metered?.knownSpan('other')]);
  // Days may grow for three.
  expect(spans).toEqual([{ fromAt: at('2026-08-17'), untilAt: at('2026-11-18') }, undefined]);
});

test('a project that nothing but the meter tells of has its amounts, and no time in which it was there', () => {
  const found = read(days('2026-11-10', 240), metered => {
    const [other] = metered?.others ?? [];
    const amount = other && metered?.meteredUntil(other.project_ref, metric, startAt);
    return [other?.project_id, amount, other?.created_at, other?.gone_at];
  });
  expect(found).toEqual(['gone', 240, at('2026-11-01'), at('2026-11-01')]);
});

test('without a meter there is no ledger of one', () => {
  expect(read([], metered => metered === undefined)).toBe(true);
});

test('running totals never fall, and end at the whole or at what is known, whichever is more', () => {
  const amount = fc.nat({ max: 1000 });
  const parts = fc.uniqueArray(fc.tuple(fc.nat(23), amount), { selector: ([slot]) => slot });
  fc.assert(
    fc.property(amount, parts, (whole, known) => {
      const open = [{ fromAt: 7 * hourMs, untilAt: 8.5 * hourMs }];
      const totals = spreadRest(whole, new Map(known), { fromAt: 0, slotMs: hourMs, count: 24 }, open);
      const sum = known.reduce((all, [, each]) => all + each, 0);
      expect(totals[0]).toBe(0);
      expect(totals[24]).toBe(Math.max(whole, sum));
      for (let slot = 0; slot < 24; slot += 1) {
        const own = new Map(known).get(slot) ?? 0;
        expect((totals[slot + 1] ?? 0) - (totals[slot] ?? 0)).toBeGreaterThanOrEqual(own);
      }
    }),
  );
});
