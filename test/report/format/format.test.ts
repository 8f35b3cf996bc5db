import { expect, test } from 'vitest';
import { renderCsv, withPeriod } from '../../../src/report/format/csv.ts';
import { renderJson } from '../../../src/report/format/json.ts';
import { renderMarkdown } from '../../../src/report/format/markdown.ts';
import { showCell, writeCell } from '../../../src/report/format/report.ts';
import { renderTable } from '../../../src/report/format/table.ts';
import { hostileReport } from './hostile-report.ts';

test('a table is aligned for a terminal, its numbers to the right, and no name breaks a line', () => {
  expect(renderTable(hostileReport)).toBe(
    `Cost by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (Europe/Berlin), in EUR

name                   cost  difference  starts  gone at           stale
-------------  ------------  ----------  ------  ----------------  -----
a | "b", <c>   1,234,567.80       -1.20   1,000  2026-10-31 23:30  yes
    Set it to 60 s.
=cmd()             unpriced                   0                    no
two lines [2J          0.20        0.00       7
    @now
-------------  ------------  ----------  ------  ----------------  -----
total          1,234,568.00       -1.20   1,007

- 3.00 hours are unpriced.
`,
  );
});

test('people read the first and the last day of a period by the clocks of its zone, and programs its instants', () => {
  const [fromAt, untilAt] = [Date.UTC(2026, 9, 3, 22), Date.UTC(2026, 9, 31, 23)];
  const [from, until] = [
    { key: 'from', kind: 'instant', edge: 'first' },
    { key: 'until', kind: 'instant', edge: 'last' },
  ] as const;
  const shown = (zone: string) => [showCell(fromAt, from, zone), showCell(untilAt, until, zone)];
  expect(shown('Europe/Berlin')).toEqual(['2026-10-04', '2026-10-31']);
  expect(shown('UTC')).toEqual(['2026-10-03 22:00', '2026-10-31 23:00']);
  expect(writeCell(untilAt, until)).toBe('2026-10-31T23:00:00Z');
});

test('a CSV has plain numbers and instants in UTC, quotes what it must, and disarms formulas', () => {
  expect(renderCsv(hostileReport)).toBe(
    [
      'project_name,cost,difference,starts,gone_at,stale,advice',
      '"a | ""b"", <c>",1234567.80,-1.20,1000,2026-10-31T22:30:00Z,true,Set it to 60 s.',
      "'=cmd(),,,0,,false,",
      '"two\r\nlines\u001b[2J",0.20,0.00,7,,,\'@now',
      '',
    ].join('\r\n'),
  );
});

test('rows in a CSV file say of what period they are, and in what currency where they have money', () => {
  const rows = hostileReport.rows.slice(1, 2);
  const { currency: _none, ...withoutMoney } = hostileReport;
  const endOf = (report: typeof hostileReport, cells: number) =>
    renderCsv(withPeriod({ ...report, rows }))
      .split('\r\n')
      .map(line => line.split(',').slice(-cells).join(' '));
  expect(endOf(hostileReport, 4)).toEqual([
    'period period_from period_until currency',
    '2026-10 2026-09-30T22:00:00Z 2026-10-31T23:00:00Z EUR',
    '',
  ]);
  expect(endOf(withoutMoney, 4)).toEqual([
    'advice period period_from period_until',
    ' 2026-10 2026-09-30T22:00:00Z 2026-10-31T23:00:00Z',
    '',
  ]);
});

test('Markdown keeps every name within its cell and lets none become markup', () => {
  expect(renderMarkdown(hostileReport)).toBe(
    `### Cost by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (Europe/Berlin), in EUR

| name | cost | difference | starts | gone at | stale | advice |
| --- | ---: | ---: | ---: | --- | --- | --- |
| a \\| "b", &lt;c&gt; | 1,234,567.80 | -1.20 | 1,000 | 2026-10-31 23:30 | yes | Set it to 60 s. |
| =cmd() | unpriced |  | 0 |  | no |  |
| two lines \\[2J | 0.20 | 0.00 | 7 |  |  | @now |
| **total** | **1,234,568.00** | **-1.20** | **1,007** |  |  |  |

- 3.00 hours are unpriced.
`,
  );
});

test('JSON keeps decimals as they are written, names as they are, and null for what is missing', () => {
  expect(JSON.parse(renderJson(hostileReport))).toEqual({
    schema_version: 1,
    generated_at: '2026-11-02T00:00:10Z',
    price_book_fingerprint: 'f00d',
    title: 'Cost by project',
    period: {
      label: '2026-10',
      from: '2026-09-30T22:00:00Z',
      until: '2026-10-31T23:00:00Z',
      timezone: 'Europe/Berlin',
    },
    currency: 'EUR',
    rows: [
      {
        project_name: 'a | "b", <c>',
        cost: '1234567.80',
        difference: '-1.20',
        starts: 1000,
        gone_at: '2026-10-31T22:30:00Z',
        stale: true,
        advice: 'Set it to 60 s.',
      },
      {
        project_name: '=cmd()',
        cost: null,
        difference: null,
        starts: 0,
        gone_at: null,
        stale: false,
        advice: '',
      },
      {
        project_name: 'two\r\nlines\u001b[2J',
        cost: '0.20',
        difference: '0.00',
        starts: 7,
        gone_at: null,
        stale: null,
        advice: '@now',
      },
    ],
    totals: {
      project_name: 'total',
      cost: '1234568.00',
      difference: '-1.20',
      starts: 1007,
      gone_at: null,
      stale: null,
      advice: '',
    },
    notes: ['3.00 hours are unpriced.'],
    partial: true,
  });
});

test('an empty report says so, and a long name is cut in a table alone', () => {
  expect(renderTable({ ...hostileReport, rows: [], notes: [] })).toContain('\nNothing to report.\n');
  expect(renderMarkdown({ ...hostileReport, rows: [] })).toContain('\nNothing to report.\n');
  const long = { ...hostileReport, rows: [['x'.repeat(10_000)]] };
  expect(renderTable(long).split('\n')[4]).toBe(`${'x'.repeat(59)}…`);
  expect(renderCsv(long)).toContain('x'.repeat(10_000));
});
