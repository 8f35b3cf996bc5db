import { expect, test } from 'vitest';
import { globalSettings } from '../../src/config/setting.ts';
import { accountEnv, loadInvalid, loadValid } from './loading.ts';

const longestTimerMs = 2 ** 31 - 1;
const dayMs = 86_400_000;

test('a usage refresh that no timer can wait for is refused, and the longest one can', () => {
  expect(loadInvalid({ env: { ...accountEnv, DBPM_USAGE_REFRESH: '25d' } })).toEqual([
    'environment: DBPM_USAGE_REFRESH: found "25d", write a duration of at most 24d',
  ]);
  const { config } = loadValid({ env: { ...accountEnv, DBPM_USAGE_REFRESH: '24d' } });
  expect(config.usage.refreshMs).toBe(24 * dayMs);
  expect(config.usage.refreshMs).toBeLessThanOrEqual(longestTimerMs);
});

const durations = globalSettings.filter(({ default: usual = '' }) => /^\d+[a-z]+$/.test(usual));

test('every setting with a duration for its default is looked at', () => {
  expect(durations.map(({ key }) => key)).toEqual([
    'collect.idle_refresh',
    'collect.api_keys_refresh',
    'collect.longest_pause',
    'collect.drop_after',
    'history.backup.every',
    'history.keep_samples',
    'history.keep_hours',
    'history.keep_days',
    'history.keep_operations',
    'usage.refresh',
    'findings.smallest_suspend_delay',
    'findings.unused_branch_after',
    'keys.stale_after',
    'log.heartbeat',
  ]);
});

test.each(durations)(
  '$key has a bound within which an instant so long ago is still a date',
  ({ env = '' }) => {
    const [problem = ''] = loadInvalid({ env: { ...accountEnv, [env]: '99999999d' } });
    const [, days] =
      /^environment: \w+: found "99999999d", write a duration of at most (\d+)d$/.exec(problem) ?? [];
    expect(problem).toContain('write a duration of at most');
    expect(new Date(Date.now() - Number(days) * dayMs).getTime()).not.toBeNaN();
    expect(loadInvalid({ env: { ...accountEnv, [env]: `${days}d` } }).join()).not.toContain('at most');
  },
);
