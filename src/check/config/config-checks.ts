import { hostname } from 'node:os';
import type { ConfigChecks } from '../../config/load-config.ts';

export type HistoryUse = 'write' | 'read' | 'open';

/**
 * Loads the checks of settings whose rules other folders have, such as that of a schedule.
 *
 * @param use what the history is wanted for: to be written by a start, or to be read alone. One that this process has open
 *   already is left alone, as closing it would end the locks of SQLite on it (fcntl_locking(2)).
 */
export async function loadConfigChecks(use: HistoryUse = 'write'): Promise<ConfigChecks> {
  const [
    { checkSchedule },
    { checkBaseUrl },
    { checkHistoryFile, checkReadableHistory },
    { alerts },
    { catalog },
    { listFamilyNames },
  ] = await Promise.all([
    import('../../poll/schedule.ts'),
    import('../../api/message/base-url.ts'),
    import('../../history/file/history-check.ts'),
    import('../../../dashboards/rules/alert-catalog.ts'),
    import('../../resources/catalog.ts'),
    import('../../resources/series/family-selection.ts'),
  ]);
  return {
    schedule: checkSchedule,
    historyFile: { write: checkHistoryFile, read: checkReadableHistory, open: () => undefined }[use],
    hostName: hostname(),
    alerts,
    familyNames: listFamilyNames(catalog),
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
