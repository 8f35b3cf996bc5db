import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { catalog } from '../../resources/catalog.ts';
import { findIdleCollectors } from '../../resources/series/family-selection.ts';

/** Warns of collectors that cost requests although none of their metrics is shown. */
export function warnOfIdleCollectors({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const { collect, series } = config;
  const idle = findIdleCollectors(catalog, { ...series, collectors: collect.collectors });
  const where = effective.find(({ key }) => key === 'series.exclude')?.from ?? 'configuration';
  return idle.map(collector => ({
    where,
    key: 'series.exclude',
    found: `every metric that ${collector} give`,
    expected: `take ${collector} out of collect.collectors too, which saves their requests`,
  }));
}
