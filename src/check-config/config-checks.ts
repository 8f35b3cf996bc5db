import type { ConfigChecks } from '../config/load-config.ts';

/**
 * Loads the checks of settings whose rules other folders have, such as that of a schedule.
 *
 * @param isOffline whether the history is read alone, and need not be one that a start could use.
 */
export async function loadConfigChecks(isOffline = false): Promise<ConfigChecks> {
  const [
    { checkSchedule },
    { checkBaseUrl },
    { checkHistoryFile, checkReadableHistory },
    { alerts },
    { catalog },
    { listFamilyNames },
  ] = await Promise.all([
    import('../poll/schedule.ts'),
    import('../api/message/base-url.ts'),
    import('../history/file/history-check.ts'),
    import('../../dashboards/rules/alert-catalog.ts'),
    import('../resources/catalog.ts'),
    import('../resources/series/family-selection.ts'),
  ]);
  return {
    schedule: checkSchedule,
    historyFile: isOffline ? checkReadableHistory : checkHistoryFile,
    alerts,
    familyNames: listFamilyNames(catalog),
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
