import { describe, expect, test } from 'vitest';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { lineText, stretch } from './line-text.ts';
import { ledgerOf, type ScriptedProject } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const prices = pricesOf({ price: '1' });

function linesWith(
  included: { computeHours: string; per: 'account' | 'project' },
  projects: readonly ScriptedProject[],
  period: Period,
): string[] {
  const book = bookOf([planWith({ included, prices })]);
  return Array.from(createCosting({ book, ledger: ledgerOf(projects) }).usageLines(period), lineText);
}

describe('hours included for each project', () => {
  const included = { computeHours: '10.25', per: 'project' } as const;
  // Two compute hours an hour: 10.25 are used up at 05:07:30.
  const steady = { steps: [['2026-10-01T00:00Z', '2026-10-01T10:00Z', 20]] } as const;

  test('are used up in the middle of an hour', () => {
    expect(linesWith(included, [steady], stretch('2026-10-01T05:00Z', '2026-10-01T06:00Z'))).toEqual([
      'project-1 2026-10-01T05:00Z..2026-10-01T06:00Z: 0.25 included, 1.75 billed, 1.75 USD, shown as 1.75',
    ]);
  });

  test('are free to the moment they are used up, and no longer', () => {
    const free = linesWith(included, [steady], stretch('2026-10-01T05:00Z', '2026-10-01T05:07:30Z'));
    const billed = linesWith(included, [steady], stretch('2026-10-01T05:07:30Z', '2026-10-01T05:15:00Z'));
    expect([...free, ...billed]).toEqual([
      'project-1 2026-10-01T05:00Z..2026-10-01T05:07:30.000Z: 0.25 included, 0 USD, shown as 0',
      'project-1 2026-10-01T05:07:30.000Z..2026-10-01T05:15Z: 0.25 billed, 0.25 USD, shown as 0.25',
    ]);
  });
});

describe('hours included for an account', () => {
  // Together 1 an hour until 10:00, then 4 an hour: 12 are used up half an hour after 10:00.
  const projects = [
    {
      steps: [
        ['2026-10-01T00:00Z', '2026-10-01T10:00Z', 10],
        ['2026-10-01T10:00Z', '2026-10-01T12:00Z', 6],
      ],
    },
    { steps: [['2026-10-01T10:00Z', '2026-10-01T12:00Z', 2]] },
    { account: 'other', steps: [['2026-10-01T00:00Z', '2026-10-01T12:00Z', 12]] },
  ] as const;
  const included = { computeHours: '12', per: 'account' } as const;

  test('are shared by its projects in order of time, in the hour they end by what each used in it', () => {
    expect(linesWith(included, projects, stretch('2026-10-01', '2026-11-01'))).toEqual([
      // 10 before the hour; of the 2 that are left three quarters, as of the 4 used in it 3.
      'project-1 2026-10-01..2026-11-01: 11.5 included, 4.5 billed, 4.5 USD, shown as 4.5',
      'project-2 2026-10-01..2026-11-01: 0.5 included, 1.5 billed, 1.5 USD, shown as 1.5',
      'project-3 2026-10-01..2026-11-01: 12 included, 0 USD, shown as 0',
    ]);
  });

  test('are all free before that hour, and none after it', () => {
    const at = (from: string, until: string) =>
      linesWith(included, projects, stretch(`2026-10-01T${from}Z`, `2026-10-01T${until}Z`)).slice(0, 2);
    expect(at('00:00', '10:00')).toEqual([
      'project-1 2026-10-01..2026-10-01T10:00Z: 10 included, 0 USD, shown as 0',
      'project-3 2026-10-01..2026-10-01T10:00Z: 10 included, 0 USD, shown as 0',
    ]);
    expect(at('10:00', '11:00')).toEqual([
      'project-1 2026-10-01T10:00Z..2026-10-01T11:00Z: 1.5 included, 1.5 billed, 1.5 USD, shown as 1.5',
      'project-2 2026-10-01T10:00Z..2026-10-01T11:00Z: 0.5 included, 0.5 billed, 0.5 USD, shown as 0.5',
    ]);
    expect(at('11:00', '12:00')).toEqual([
      'project-1 2026-10-01T11:00Z..2026-10-01T12:00Z: 3 billed, 3 USD, shown as 3',
      'project-2 2026-10-01T11:00Z..2026-10-01T12:00Z: 1 billed, 1 USD, shown as 1',
    ]);
  });

  test('that cannot be shared out evenly go to the last CU-millisecond to who lost most', () => {
    const third = { steps: [['2026-10-01T00:00Z', '2026-10-01T01:00Z', 1]] } as const;
    const book = bookOf([planWith({ included: { computeHours: '1', per: 'account' }, prices })]);
    const ledger = ledgerOf([third, third, third, third, third, third, third]);
    const lines = [...createCosting({ book, ledger }).usageLines(stretch('2026-10-01', '2026-10-02'))];
    // 3,600,000 / 7 = 514,285.7: five of seven are rounded up.
    expect(lines.map(({ includedCuMs }) => includedCuMs)).toEqual([
      514_286, 514_286, 514_286, 514_286, 514_286, 514_285, 514_285,
    ]);
  });

  test('begin anew with the next billing period', () => {
    const steady = { steps: [['2026-10-01', '2026-12-01', 61]] } as const;
    expect(
      linesWith({ computeHours: '30', per: 'account' }, [steady], stretch('2026-10-01', '2026-12-01')),
    ).toEqual([
      'project-1 2026-10-01..2026-11-01: 30 included, 1 billed, 1 USD, shown as 1',
      'project-1 2026-11-01..2026-12-01: 30 included, 0 USD, shown as 0',
    ]);
  });
});
