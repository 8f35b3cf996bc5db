import { hostname } from 'node:os';
import type { RuleConfig } from '../../config/config.ts';
import type { ConfigChecks, LoadedConfig, LoadRequest } from '../../config/load-config.ts';
import { ConfigFailure } from '../../config/problem.ts';
import { readSourceFile } from '../../config/source-file.ts';

/**
 * The configuration that flags, environment and the files they name give, with what deserves a second look in it.
 *
 * @throws ConfigFailure with every problem of it, among them a price book that would re-price a closed billing period,
 *   unless it may.
 * @param isReload whether a daemon runs on it already.
 */
export async function loadCheckedConfig(
  given: Pick<LoadRequest, 'flags' | 'env' | 'isOffline'>,
  {
    mayReprice = false,
    isReload = false,
  }: { readonly mayReprice?: boolean; readonly isReload?: boolean } = {},
): Promise<LoadedConfig> {
  // Loaded here alone: the YAML parser costs `--help` and `--version` a noticeable time.
  const { loadConfig } = await import('../../config/load-config.ts');
  const loaded = loadConfig({
    ...given,
    readFile: readSourceFile,
    checks: await loadConfigChecks(given.isOffline ? 'read' : isReload ? 'open' : 'write'),
    now: Date.now(),
  });
  if ('problems' in loaded) throw new ConfigFailure(loaded.problems);
  // Loaded here alone: the alerts and the catalog cost `--help` a noticeable time.
  const { findUnverifiedTls, warnOfConfig } = await import('./config-warning.ts');
  const unverified = given.isOffline ? [] : findUnverifiedTls(loaded, given.env);
  if (unverified.length > 0) throw new ConfigFailure(unverified);
  if (loaded.config.pricing !== undefined && !mayReprice) {
    // Loaded here alone: SQLite costs `--help` a noticeable time.
    const { findRepriced } = await import('./closed-price.ts');
    const repriced = findRepriced(loaded);
    if (repriced.length > 0) throw new ConfigFailure(repriced);
  }
  return { ...loaded, warnings: [...loaded.warnings, ...warnOfConfig(loaded)] };
}

/**
 * The settings of the rule file that flags, environment and the files they name give, with or without accounts.
 *
 * @throws ConfigFailure with every problem of the configuration.
 */
export async function loadCheckedRules({
  flags,
  env,
}: Pick<LoadRequest, 'flags' | 'env'>): Promise<RuleConfig> {
  const { loadRuleConfig } = await import('../../config/load-config.ts');
  const checks = await loadConfigChecks();
  const request = { flags, env, readFile: readSourceFile, checks, now: Date.now() };
  const loaded = loadRuleConfig(request);
  if ('problems' in loaded) throw new ConfigFailure(loaded.problems);
  return loaded.rules;
}

type HistoryUse = 'write' | 'read' | 'open';

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
    import('../../resources/family-selection.ts'),
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
