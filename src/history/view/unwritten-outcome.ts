import { accountLists, type Collector } from '../../resources/collector.ts';
import type { Reading } from '../../resources/reading.ts';
import type { AccountTotals } from './account-query.ts';
import type { Freshness } from './freshness.ts';

/** The totals as they are written, less the success of collectors whose last readings could not be. */
export function withUnwritten(totals: AccountTotals, freshness: Freshness): AccountTotals {
  const isFailing = (collector: Collector) =>
    accountLists.includes(collector) ? freshness.isFailing(collector, '') : !freshness.isWell(collector);
  const failing = totals.collectors.map(({ collector }) => collector).filter(isFailing);
  if (failing.length === 0) return totals;
  const lists = failing.filter(collector => accountLists.includes(collector));
  return {
    ...totals,
    collectors: totals.collectors.map(view =>
      failing.includes(view.collector) ? { ...view, success: false } : view,
    ),
    ...(lists.length > 0 && { up: false }),
    ...(lists.some(collector => freshness.isRefused(collector)) && { authOk: false }),
  };
}

interface Unwritten {
  readonly collector: Collector;
  /** Empty for a list as a whole. */
  readonly project_id: string;
}

/** The readings of collectors that are lost with a reading that could not be written. */
export function listUnwritten(reading: Reading): readonly Unwritten[] {
  switch (reading.kind) {
    case 'projects':
    case 'project_page':
      return [{ collector: 'projects', project_id: '' }];
    case 'api_keys':
    case 'consumption':
      return [{ collector: reading.kind, project_id: '' }];
    case 'project_part':
      return [{ collector: reading.collector, project_id: reading.project_id }];
    case 'project':
    case 'operation_import': {
      const { project_id } = reading;
      const readsEndpoints = 'endpoints' in reading || 'unchanged' in reading;
      return [
        ...(readsEndpoints ? [{ collector: 'endpoints', project_id } as const] : []),
        ...(reading.operations === undefined ? [] : [{ collector: 'operations', project_id } as const]),
      ];
    }
    default:
      return [];
  }
}
