import type { Report } from '../../../src/report/format/report.ts';

/** Names that break lines, cells and spreadsheets, a price that is missing, and a difference below zero. */
export const hostileReport: Report = {
  title: 'Cost by project',
  period: {
    label: '2026-10',
    fromAt: Date.UTC(2026, 8, 30, 22),
    untilAt: Date.UTC(2026, 9, 31, 23),
    timezone: 'Europe/Berlin',
  },
  generatedAt: Date.parse('2026-11-02T00:00:10Z'),
  currency: 'EUR',
  fingerprint: 'f00d',
  columns: [
    { key: 'project_name', kind: 'text', title: 'name' },
    { key: 'cost', kind: 'decimal' },
    { key: 'difference', kind: 'decimal' },
    { key: 'starts', kind: 'count' },
    { key: 'gone_at', kind: 'instant' },
    { key: 'stale', kind: 'flag' },
    { key: 'advice', kind: 'sentence' },
  ],
  rows: [
    ['a | "b", <c>', '1234567.80', '-1.20', 1000, Date.UTC(2026, 9, 31, 22, 30), true, 'Set it to 60 s.'],
    ['=cmd()', { missing: 'unpriced' }, undefined, 0, undefined, false, ''],
    ['two\r\nlines\u001b[2J', '0.20', '0.00', 7, undefined, undefined, '@now'],
  ],
  totals: ['total', '1234568.00', '-1.20', 1007, undefined, undefined, ''],
  notes: ['3.00 hours are unpriced.'],
  partial: true,
};
