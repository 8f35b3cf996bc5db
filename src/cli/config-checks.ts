import type { ConfigChecks } from '../config/value-kind.ts';

/** The checks of settings that belong to other parts of the program, loaded only when a configuration is. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const [{ checkSchedule }, { checkBaseUrl }, { alerts }] = await Promise.all([
    import('../poll/schedule.ts'),
    import('../api/base-url.ts'),
    import('../../dashboards/rules/alert-catalog.ts'),
  ]);
  return {
    schedule: checkSchedule,
    alerts,
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
