import type { ConfigChecks } from '../config/value-kind.ts';

/** The checks of settings that belong to other parts of the program, loaded only when a configuration is. */
export async function loadConfigChecks(): Promise<ConfigChecks> {
  const [{ validate }, { checkBaseUrl }] = await Promise.all([
    import('node-cron'),
    import('../api/base-url.ts'),
  ]);
  return {
    schedule: text =>
      validate(text) ? undefined : 'write a cron expression, seconds first, such as "*/30 * * * * *"',
    baseUrl: text => {
      const checked = checkBaseUrl(text);
      return typeof checked === 'string' ? `which ${checked}` : undefined;
    },
  };
}
