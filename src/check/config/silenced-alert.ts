import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { listMetrics } from '../../../dashboards/rules/alert-metric.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { catalog } from '../../resources/catalog.ts';
import { collectors, optionalCollectors } from '../../resources/collector.ts';
import {
  type FamilySelection,
  listFamilyNames,
  selectFamilies,
} from '../../resources/series/family-selection.ts';

/** Warns of enabled alerts that ask for metrics which are left out: most of them then never fire. */
export function warnOfSilencedAlerts({
  config: { collect, series, rules, shard },
  effective,
}: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const enabled = alerts.filter(({ name }) => rules.alerts[name]?.enabled);
  // Another shard reads the API keys for all of them.
  const elsewhere = shard === undefined || shard.index === 0 ? [] : (['api_keys'] as const);
  const read = [...collect.collectors, ...elsewhere, ...optionalCollectors];
  const unread = findMissing({ exclude: [], collectors: read });
  const every = [...collectors, ...optionalCollectors];
  const excluded = findMissing({ exclude: series.exclude, collectors: every }).filter(
    name => !unread.includes(name),
  );
  const causes = [
    { key: 'collect.collectors', found: 'nothing to read the metrics', missing: unread },
    { key: 'series.exclude', found: 'the metrics', missing: excluded },
  ];
  return causes.flatMap(({ key, found, missing }) => {
    const silenced = enabled.flatMap(alert => {
      const wanted = [...listMetrics(alert)].filter(name => missing.includes(name));
      return wanted.length > 0 ? [`${alert.name} (${wanted.join(', ')})`] : [];
    });
    if (silenced.length === 0) return [];
    const where = effective.find(setting => setting.key === key)?.from ?? 'configuration';
    const needed = `${found} of alerts in the rule file: ${silenced.join(', ')}`;
    return [{ where, key, found: needed, expected: silencedAdvice }];
  });
}

const silencedAdvice =
  'put them back, or switch these alerts off with rules.alerts.<alert>.enabled and print the rules again';

/** Names of the metrics that a selection leaves out of a full page; no alert needs those that only a compact one leaves out. */
function findMissing(selection: Omit<FamilySelection, 'mode'>): readonly string[] {
  const shown = listFamilyNames(selectFamilies(catalog, { ...selection, mode: 'full' }));
  return listFamilyNames(catalog).filter(name => !shown.includes(name));
}
