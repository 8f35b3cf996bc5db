import type { LoadedConfig } from '../config/load-config.ts';
import type { Problem } from '../config/problem.ts';

/** Warns of a folder to lend requests through where no other exporter shares the account. */
export function warnOfLoneLender({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const key = 'collect.lending_folder';
  const { collect, shard } = config;
  if (collect.lendingFolder === '' || (shard !== undefined && shard.count > 1)) return [];
  return [
    {
      where: effective.find(setting => setting.key === key)?.from ?? 'configuration',
      key,
      found: `${collect.lendingFolder} without other shards to lend requests to`,
      expected: 'say which part this exporter takes with --shard, such as 0/3, or leave the folder out',
    },
  ];
}
