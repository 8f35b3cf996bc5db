import { describe, expect, test } from 'vitest';
import { accountEnv, loadInvalid, loadValid } from './loading.ts';

const configOf = (shard: string, more: Parameters<typeof loadValid>[0] = {}) =>
  loadValid({ env: { ...accountEnv, DBPM_SHARD: shard }, ...more }).config;

test('without a shard all is as it was', () => {
  const { config } = loadValid({ env: accountEnv });
  expect(config).not.toHaveProperty('shard');
  expect(config.accounts[0]).toMatchObject({
    requestsPerMinute: 300,
    projects: { include: ['*'], exclude: [] },
  });
  expect(config.accounts[0]?.projects).not.toHaveProperty('shard');
});

describe('a shard', () => {
  test('is given by flag, environment or file, in this order', () => {
    const files = { 'a.yaml': 'shard: 1/4\n' };
    const given = { 'config.file': 'a.yaml' };
    const shardOf = (flags: object, env: object) =>
      loadValid({ flags: { ...given, ...flags }, env: { ...accountEnv, ...env }, files }).config.shard;
    expect(shardOf({}, {})).toEqual({ index: 1, count: 4 });
    expect(shardOf({}, { DBPM_SHARD: '2/4' })).toEqual({ index: 2, count: 4 });
    expect(shardOf({ shard: '3/4' }, { DBPM_SHARD: '2/4' })).toEqual({ index: 3, count: 4 });
  });

  test('is numbered by the end of the host name where that is wanted', () => {
    expect(configOf('auto/3', { hostName: 'dbpm-exporter-2' }).shard).toEqual({ index: 2, count: 3 });
    expect(configOf('auto/3', { hostName: 'dbpm-0.dbpm.monitoring.svc' }).shard).toEqual({
      index: 0,
      count: 3,
    });
  });

  test('has its share of the requests, and all shares are the whole', () => {
    const env = { DBPM_REQUESTS_PER_MINUTE: '700' };
    const shares = [0, 1, 2].map(index =>
      configOf(`${index}/3`, { env: { ...accountEnv, ...env, DBPM_SHARD: `${index}/3` } }),
    );
    expect(shares.map(({ accounts }) => accounts[0]?.requestsPerMinute)).toEqual([234, 233, 233]);
    expect(shares.map(({ accounts }) => accounts[0]?.sharedRequestsPerMinute)).toEqual([700, 700, 700]);
  });

  test('watches its projects, and the first alone reads API keys', () => {
    const shares = [0, 1].map(index => configOf(`${index}/2`));
    expect(shares.map(({ accounts }) => accounts[0]?.projects.shard)).toEqual([
      { index: 0, count: 2 },
      { index: 1, count: 2 },
    ]);
    expect(shares.map(({ collect }) => collect.collectors.includes('api_keys'))).toEqual([true, false]);
  });
});

describe('a wrong shard is one sentence', () => {
  const advice =
    'write a part such as 0/3, 1/3 or 2/3, or auto/3 where host names end in these numbers, as those of a StatefulSet do';
  test.each(['3/3', '0/0', '1', 'auto', '-1/3', 'a/3', 'auto/0', '0/5000', '1.5/3'])('%s', shard => {
    const problems = loadInvalid({ env: { ...accountEnv, DBPM_SHARD: shard } });
    expect(problems).toEqual([`environment: DBPM_SHARD: found "${shard}", ${advice}`]);
  });

  test('where its variable in a shell was empty', () => {
    expect(loadInvalid({ env: accountEnv, flags: { shard: '' } })).toEqual([
      `flag: --shard: found nothing, ${advice}`,
    ]);
    expect(configOf('')).not.toHaveProperty('shard');
  });

  test('where the host has no number', () => {
    expect(loadInvalid({ env: accountEnv, flags: { shard: 'auto/3' } })).toEqual([
      `flag: --shard: found "auto/3", give this host a name that ends in -0 to -2, as "laptop" does not, or ${advice}`,
    ]);
    expect(loadInvalid({ env: accountEnv, flags: { shard: 'auto/3' }, hostName: 'dbpm-3' })).toHaveLength(1);
  });

  test('where there are more of them than requests', () => {
    const env = { ...accountEnv, DBPM_REQUESTS_PER_MINUTE: '2' };
    expect(loadInvalid({ env, flags: { shard: '0/3' } })).toEqual([
      'flag: --shard: found 3 shards, more than account main may be sent requests a minute, write 2 shards or fewer, or a larger requests_per_minute',
    ]);
  });
});
