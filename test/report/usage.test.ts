import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

test('usage by project is what the service counted, beside the bounds of what the endpoints did', async () => {
  expect(await small.report('usage --period 2026-10')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `Usage by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

account  project  name                   compute hours  share %  at least  at most  awake hours  starts
-------  -------  ---------------------  -------------  -------  --------  -------  -----------  ------
main     p-shop   shop                           40.00     84.2     40.00    40.02        40.00       3
main     p-dw     =dw | "x" second line           5.50     11.6      5.50     5.50        11.00       1
main     p-stray  stray                           2.00      4.2      0.00     0.00         0.00       0
-------  -------  ---------------------  -------------  -------  --------  -------  -----------  ------
total                                            47.50    100.0     45.50    45.52        51.00       4

- Compute hours are what the service counted (cpu_used_sec); at least and at most are the hours that follow from what the endpoints did and their sizes.
`,
  });
});

test('usage by endpoint shares out what the service counts by project, also to endpoints that are gone', async () => {
  const { stdout } = await small.report('usage --period 2026-10 --by endpoint --format csv');
  const { header, rows } = readCsv(stdout);
  expect(header.slice(3)).toEqual([
    'endpoint_id',
    'compute_hours',
    'share_percent',
    'reconstructed_lower_hours',
    'reconstructed_upper_hours',
    'awake_hours',
    'starts',
    ...['period', 'period_from', 'period_until'],
  ]);
  expect(rows.map(row => `${row.project_id} ${row.endpoint_id} ${row.compute_hours}`)).toEqual([
    'p-shop ep-1 25.00',
    'p-shop ep-2 15.00',
    'p-dw ep-dw 5.50',
    'p-stray (not told) 2.00',
  ]);
  expect(rows[2]?.project_name).toBe('\'=dw | "x"\nsecond line');
});

test('a group or a part of the month has its share', async () => {
  const { stdout } = await small.report('usage --by group --period 2026-10-01..2026-10-15 --format csv');
  expect(stdout).toBe(
    [
      'group,group_path,compute_hours,share_percent,reconstructed_lower_hours,reconstructed_upper_hours,awake_hours,starts,period,period_from,period_until',
      'web,team/web,10.00,64.5,10.00,10.00,10.00,1,2026-10-01..2026-10-15,2026-10-01T00:00:00Z,2026-10-15T00:00:00Z',
      'data,team/data,5.50,35.5,5.50,5.50,11.00,1,2026-10-01..2026-10-15,2026-10-01T00:00:00Z,2026-10-15T00:00:00Z',
      '',
    ].join('\r\n'),
  );
});

test('a month that is not over is reported as far as it is known, which is not partial', async () => {
  const { exitCode, stdout } = await small.report('usage');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage by project, this-month: 2026-11-01 00:00 to 2026-11-02 00:00 (UTC)\n');
  expect(stdout).toContain('- Account main is known until 2026-11-02 00:00.\n');
});

test('time before the first reading and after the last one makes a report partial', async () => {
  const early = await small.report('usage --period 2026-09-15..2026-10-15');
  const sentence = 'What all projects of account main used is known only from 2026-10-01 00:00 on.';
  expect(early.exitCode).toBe(3);
  expect(early.stdout).toContain(`- ${sentence}\n`);
  expect(early.stderr).toBe(
    `partial: ${sentence}\ndbpm-exporter: the report is not of all that was asked for\n`,
  );
  const late = await small.report('usage --format json', { now: Date.parse('2026-11-03T00:00:00Z') });
  expect(late.exitCode).toBe(3);
  expect(JSON.parse(late.stdout)).toMatchObject({
    partial: true,
    notes: [
      'Account main was last read at 2026-11-02 00:00: what was used since is not known.',
      expect.any(String),
      '3 projects used nothing and are left out.',
    ],
  });
});

test.for([
  [
    'usage --period 2026-13',
    '--period: "2026-13" is no period: write a year, quarter, month or day (2026, 2026-Q4, 2026-10, 2026-10-05), this-month, last-month, last-30d, billing, last-billing, billing:2026-10, or two days, the second of which is left out (2026-10-01..2026-11-01); docs/reports.md#periods has all',
  ],
  ['usage --account nobody', '--account: there is no account "nobody" in DIR/dbpm.sqlite: it has main'],
  ['usage --by group --grouping place', '--grouping: there is no grouping "place": there are team'],
  ['usage --format focus', '--format focus is for costs: write report cost, or another format'],
  ['usage --what-if prices.yaml', '--what-if is for report cost: leave it out'],
  ['keys --by project', 'API keys belong to accounts: leave --by out'],
  [
    'cost --format focus --by group',
    '--format focus has a row for each charge, with its groups as tags: leave --by out',
  ],
] as const)('report %s is refused with what to write', async ([line, sentence]) => {
  expect(await small.report(line)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `dbpm-exporter: ${sentence}\n`,
  });
});

test('long work shows how far it is on a terminal alone', async () => {
  const { stderr } = await small.report('usage --period 2026-10', { terminal: true });
  expect(stderr).toBe(
    '\rreading the history: 33%\rreading the history: 66%\rreading the history: 100%\r\u001b[K',
  );
});

test('a history that is not there is said to be so', async () => {
  expect(await small.report('usage', { file: 'nowhere.sqlite' })).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'dbpm-exporter: there is no history at nowhere.sqlite yet: run the daemon on it, or name another with --history.file\n',
  });
});
