import type { ConfigChecks } from '../config/load-config.ts';

/** Loads the checks of settings whose rules other folders have, such as that of a schedule. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const [
    { checkSchedule },
    { checkBaseUrl },
    { checkHistoryFile },
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
    historyFile: checkHistoryFile,
    alerts,
    familyNames: listFamilyNames(catalog),
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
