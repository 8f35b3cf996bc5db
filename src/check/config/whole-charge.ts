import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { findWholeCharges } from '../../resources/whole-charge.ts';

/** Warns of prices that a shard cannot apply to its part of an account. */
export function warnOfWholeCharges({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const terms = config.shard && config.pricing ? findWholeCharges(config.pricing) : [];
  if (terms.length === 0) return [];
  return [
    {
      where: effective.find(({ key }) => key.startsWith('pricing'))?.from ?? 'configuration',
      key: 'pricing',
      found: `${terms.join(', ')}, for all projects of an account together`,
      expected:
        'ask "report cost" over the histories of all shards for the bill: each of them shows use and no cost',
    },
  ];
}
