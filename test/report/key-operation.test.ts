import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

test('keys are listed by how long they were not used, with the address of their last use and those that are gone', async () => {
  expect(
    (await small.report('keys')).stdout,
  ).toBe(`API keys, last-30d: 2026-10-03 00:00 to 2026-11-02 00:00 (UTC)

account  key name     key id  created at        last used at      last used from addr  idle days  stale  gone at           verdict
-------  -----------  ------  ----------------  ----------------  -------------------  ---------  -----  ----------------  --------------
main     +forgotten   2       2026-08-04 00:00  never                                       90.0  yes                      safe to revoke
    Never used in the 90 days since it was made.
main     gone         3       2026-10-01 00:00  never                                       32.0  no     2026-11-02 00:00  gone
    The service lists it no longer.
main     ci | deploy  1       2026-01-01 00:00  2026-11-01 12:00  203.0.113.8                0.5  no                       in use
    Used 12 hours ago: what uses it would break.

- A key is stale that was not used for longer than keys.stale_after, 45 days; idle days count from its creation where it was never used.
`);
  const { stdout } = await small.report('keys --format csv');
  expect(stdout).toContain(
    "main,'+forgotten,2,2026-08-04T00:00:00Z,,,90.0,true,,safe_to_revoke,false,Never used in the 90 days since it was made.,last-30d,2026-10-03T00:00:10Z,2026-11-02T00:00:10Z\r\n",
  );
});

test('operations are counted by action with those that failed and how long they took', async () => {
  expect(
    (await small.report('operations --period 2026-10 --by account')).stdout,
  ).toBe(`Operations by account, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

account  action              operations  statuses              failed  failed %  failed attempts  p50 s  p95 s
-------  ------------------  ----------  --------------------  ------  --------  ---------------  -----  -----
main     check_availability           1  failed 1                   1     100.0                3   60.0   60.0
main     start_compute                4  finished 4                 0       0.0                0    2.0    2.0
main     suspend_compute              4  finished 4                 0       0.0                0    2.0    2.0
-------  ------------------  ----------  --------------------  ------  --------  ---------------  -----  -----
total                                 9  finished 8, failed 1       1      11.1                3    2.0   60.0

- Durations are from creation to the last change; half and 95% of the operations took no longer.
`);
  const { stdout } = await small.report('operations --period 2026-10 --by group --format csv');
  expect(stdout.split('\r\n', 2)).toEqual([
    'group,group_path,action,operations,statuses,failed,failure_percent,failed_attempts,duration_p50_seconds,duration_p95_seconds,period,period_from,period_until',
    'web,team/web,check_availability,1,failed 1,1,100.0,3,60.0,60.0,2026-10,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z',
  ]);
});

test('each operation that failed is a row, and all of them in order of their ends for a program', async () => {
  const failed = await small.report('operations --period 2026-10 --by operation --failed');
  expect(failed.stdout).toBe(`Failed operations, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

account  project  name  endpoint  operation          action              status  failed attempts  created at        ended at          took s  worked at
-------  -------  ----  --------  -----------------  ------------------  ------  ---------------  ----------------  ----------------  ------  ---------
main     p-shop   shop  ep-1      check 10-05T10:20  check_availability  failed                3  2026-10-05 10:20  2026-10-05 10:21  60.000
`);
  const { rows } = readCsv(
    (await small.report('operations --period 2026-10 --by operation --format csv')).stdout,
  );
  const ends = rows.map(({ ended_at }) => ended_at);
  expect(ends).toHaveLength(9);
  expect(ends).toEqual(ends.toSorted());
  expect(rows.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
    { operation_id: 'check 10-05T10:20', failures_count: '3', duration_ms: '60000', worked_at: '' },
  ]);
});

test('operations that failed can be counted alone, and single ones are of no other report', async () => {
  const { stdout } = await small.report('operations --period 2026-10 --by account --failed --format csv');
  expect(readCsv(stdout).rows).toMatchObject([
    { action: 'check_availability', operations: '1', failed: '1' },
  ]);
  for (const asked of ['usage --by operation', 'cost --by operation', 'usage --failed']) {
    expect(await small.report(asked)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('operations'),
    });
  }
});
