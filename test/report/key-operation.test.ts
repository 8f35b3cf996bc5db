import { afterAll, beforeAll, expect, test } from 'vitest';
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

- Durations are from creation to the last change; half and 95 % of the operations took no longer.
`);
  const { stdout } = await small.report('operations --period 2026-10 --by group --format csv');
  expect(stdout.split('\r\n', 2)).toEqual([
    'group,group_path,action,operations,statuses,failed,failure_percent,failed_attempts,duration_p50_seconds,duration_p95_seconds,period,period_from,period_until',
    'web,team/web,check_availability,1,failed 1,1,100.0,3,60.0,60.0,2026-10,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z',
  ]);
});
