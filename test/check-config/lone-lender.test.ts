import { expect, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check-config/loaded-config.ts';

const env = {
  DBPM_BASE_URL: 'https://api.example.com/api/v2/',
  DBPM_API_KEY: 'canary-key',
  DBPM_WEB_LISTEN_ADDRESS: '127.0.0.1:10062',
  DBPM_COLLECT_LENDING_FOLDER: '/srv/lending',
};

async function warn(more: Readonly<Record<string, string>>) {
  return (await loadCheckedConfig({ flags: {}, env: { ...env, ...more } })).warnings;
}

test.each([{}, { DBPM_SHARD: '0/1' }])('a folder to lend through is of no use to %j', async alone => {
  expect(await warn(alone)).toEqual([
    {
      where: 'environment DBPM_COLLECT_LENDING_FOLDER',
      key: 'collect.lending_folder',
      found: '/srv/lending without other shards to lend requests to',
      expected: 'say which part this exporter takes with --shard, such as 0/3, or leave the folder out',
    },
  ]);
});

test('shards lend through it, and those who have none are told nothing', async () => {
  expect(await warn({ DBPM_SHARD: '1/3' })).toEqual([]);
  expect(await warn({ DBPM_COLLECT_LENDING_FOLDER: '' })).toEqual([]);
});
