import type { ConfigChecks } from '../config/value-kind.ts';

/** The checks of settings that belong to other parts of the program, loaded only when a configuration is. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const [{ checkSchedule }, { checkBaseUrl }, { checkHistoryFile }] = await Promise.all([
    import('../poll/schedule.ts'),
    import('../api/base-url.ts'),
    import('../history/history-check.ts'),
  ]);
  return {
    schedule: checkSchedule,
    historyFile: checkHistoryFile,
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
