import { expect, test } from 'vitest';
import { type BlockStretch, cutIntoBlocks, layRows } from '../../../src/export/backfill/export-instant.ts';
import { type InstantRow, listInstants } from '../../../src/resources/backfill.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const end = Date.UTC(2026, 10, 21, 10, 0, 7);

const instantsOf = (rows: readonly InstantRow[]) => rows.flatMap(row => [...listInstants(row)]);

test('the last two days are told minute by minute, and what was before every four minutes', () => {
  const instants = instantsOf(layRows(end - 30 * day, end));
  expect(instants.at(-1)).toBe(end);
  const steps = instants.slice(1).map((at, index) => at - (instants[index] ?? 0));
  expect(new Set(steps)).toEqual(new Set([4 * minute, minute]));
  expect(steps.indexOf(minute)).toBe(28 * 24 * 15);
  expect(steps.slice(-2 * 24 * 60).every(step => step === minute)).toBe(true);
  expect((instants[0] ?? 0) - (end - 30 * day)).toBeLessThan(4 * minute);
});

test.each([
  [10 * minute, 11],
  [2 * day, 2 * 24 * 60 + 1],
  [2 * day + 3 * minute, 2 * 24 * 60 + 1],
  [2 * day + 5 * minute, 2 * 24 * 60 + 2],
])('a range of %i ms has its instants', (rangeMs, count) => {
  expect(instantsOf(layRows(end - rangeMs, end))).toHaveLength(count);
});

test('with a step all instants are as far apart', () => {
  expect(layRows(end - 30 * day, end, hour)).toEqual([
    { fromAt: end - 30 * day, stepMs: hour, count: 30 * 24 + 1 },
  ]);
});

const lengthsOf = (stretches: readonly BlockStretch[]) => new Set(stretches.map(({ blockMs }) => blockMs));

test.each([
  [1, new Set([18 * hour])],
  [27, new Set([18 * hour, 6 * hour])],
  [100, new Set([6 * hour, 2 * hour])],
  [10_000, new Set([2 * hour])],
])('blocks of %i projects hold every instant once, each in the block it belongs to', (projects, lengths) => {
  const rows = layRows(end - 30 * day, end);
  const stretches = [...cutIntoBlocks(rows, projects)];
  expect(stretches.flatMap(stretch => instantsOf(stretch.rows))).toEqual(instantsOf(rows));
  for (const stretch of stretches) {
    const slots = instantsOf(stretch.rows).map(at => Math.floor(at / stretch.blockMs));
    expect(new Set(slots).size).toBe(1);
  }
  expect(lengthsOf(stretches)).toEqual(lengths);
});
