import { accountSettings } from './account-setting.ts';
import { findNearestWord } from './nearest-word.ts';
import type { Problem } from './problem.ts';
import { configFileSetting, globalSettings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import type { WrittenValue } from './written-value.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of these rows that the environment gives, by key. An empty variable counts as not set. */
export function readEnvironment(
  rows: Iterable<readonly [key: string, setting: Setting<unknown>]>,
  env: Environment,
): ReadonlyMap<string, WrittenValue> {
  const values = new Map<string, WrittenValue>();
  for (const [key, { env: variable }] of rows) {
    const text = variable && env[variable];
    if (variable && text) values.set(key, { text, where: 'environment', key: variable });
  }
  return values;
}

/**
 * Warns of variables that are a slip away from one of ours. Others that begin with DBPM_ pass: Kubernetes
 * sets some of its own (`DBPM_EXPORTER_PORT`) beside a service of that name.
 */
export function findMistypedVariables(env: Environment, usedForKeys: ReadonlySet<string>): Problem[] {
  const rows: Setting<unknown>[] = [configFileSetting, ...Object.values(accountSettings), ...globalSettings];
  const known = rows.flatMap(({ env: variable }) => variable ?? []);
  const strange = Object.keys(env).filter(
    variable => variable.startsWith('DBPM_') && !known.includes(variable) && !usedForKeys.has(variable),
  );
  return strange.flatMap(key => {
    const nearest = findNearestWord(
      key.slice(5),
      known.map(variable => variable.slice(5)),
    );
    if (nearest === undefined || key.includes('_SERVICE_') || /_PORT(?:_|$)/.test(key)) return [];
    const expected = `write DBPM_${nearest} if that is what you mean`;
    return [{ where: 'environment', key, found: 'a variable that is not read', expected }];
  });
}
