import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';

/** Warns of accounts whose compute is to be counted from each project, while no project is read for itself. */
export function warnOfUnreadUse({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const { collectors } = config.collect;
  if (collectors.includes('endpoints') || collectors.includes('operations')) return [];
  return config.accounts.flatMap(({ cpuSource }, index) => {
    if (cpuSource !== 'project') return [];
    const key = `accounts[${index}].cpu_source`;
    return {
      where: effective.find(setting => setting.key === key)?.from ?? 'configuration',
      key,
      found: 'project, while no project is read for itself',
      expected: 'add endpoints or operations to collect.collectors, or leave it out',
    };
  });
}
