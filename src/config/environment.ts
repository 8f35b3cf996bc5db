import { accountSettings } from './account-setting.ts';
import type { Layer } from './config-file.ts';
import { findNearestWord, type Problem } from './problem.ts';
import { configFileSetting, globalSettings, webFileSetting } from './setting.ts';
import type { Setting } from './setting-row.ts';
import { writeText } from './written-node.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Settings = Readonly<Record<string, Setting>>;

/** Settings that the environment gives, by their name. An empty variable counts as not set. */
export function readEnvironment(settings: Settings, env: Environment): Layer {
  const texts = Object.entries(settings).map(([name, { env: key = '' }]) => [name, key, env[key]] as const);
  return makeLayer(
    'environment',
    texts.filter(([, , text]) => text !== ''),
  );
}

/** Settings that the command line gives, by key. */
export function readFlags(settings: Settings, flags: Readonly<Record<string, string | undefined>>): Layer {
  const texts = Object.values(settings).map(({ key, flag }) => [key, flag, flags[key]] as const);
  return makeLayer('flag', texts);
}

type NamedText = readonly [name: string, key: string | undefined, text: string | undefined];

function makeLayer(where: string, texts: readonly NamedText[]): Layer {
  return new Map(
    texts.flatMap(([name, key, text]) =>
      key === undefined || text === undefined ? [] : [[name, writeText(text, where, key)]],
    ),
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
    webFileSetting,
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
