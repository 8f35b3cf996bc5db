import { accountSettings } from './account-setting.ts';
import type { Layer } from './config-file.ts';
import { findNearestWord } from './nearest-word.ts';
import type { Problem } from './problem.ts';
import { configFileSetting, globalSettings } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { writeText } from './written-node.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of some settings, by their name. An empty variable counts as not set. */
export function readEnvironment(settings: Readonly<Record<string, Setting>>, env: Environment): Layer {
  return new Map(
    Object.entries(settings).flatMap(([name, { env: key = '' }]) => {
      const text = env[key];
      return text ? [[name, writeText(text, 'environment', key)]] : [];
    }),
  );
}

/**
 * Warns of variables that are a slip away from one of ours. Others that begin with DBPM_ pass: Kubernetes
 * sets some of its own (`DBPM_EXPORTER_PORT`) beside a service of that name.
 */
export function findMistypedVariables(env: Environment, usedForKeys: ReadonlySet<string>): Problem[] {
  const settings: readonly Setting[] = [
    configFileSetting,
    ...Object.values(accountSettings),
    ...globalSettings,
  ];
  const known = settings.flatMap(({ env: variable }) => variable ?? []);
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
