import type { ConfigChecks } from '../config/value-kind.ts';

/** The checks of settings that belong to other parts of the program, loaded only when a configuration is. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const { checkSchedule } = await import('../poll/schedule.ts');
  const { checkBaseUrl } = await import('../api/base-url.ts');
  return {
    schedule: checkSchedule,
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? checked : undefined;
    },
  };
}
