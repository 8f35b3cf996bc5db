import { accountSettings } from './account-setting.ts';
import { alertsKey } from './alert-setting.ts';
import { findNearestWord } from './nearest-word.ts';
import { globalSettings } from './setting.ts';
import type { Setting } from './setting-row.ts';

/** Keys whose value may be a list. */
export const listKeys: ReadonlySet<string> = new Set(
  [...globalSettings, ...Object.values<Setting<unknown>>(accountSettings)]
    .filter(({ kind }) => kind.parseItems !== undefined)
    .map(({ key }) => key),
);

const lastPart = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

const globalKeys = globalSettings.map(setting => setting.key);
const accountKeys = Object.values(accountSettings)
  .filter(setting => setting.yaml)
  .map(setting => setting.key);

/** Where YAML holds labels for every alert, by names of the user's own. */
export const labelsKey = 'rules.labels';

/** True for a label or a setting of an alert: there is a row for each in the file, not in the schema. */
export function isRuleMapKey(key: string): boolean {
  return key.startsWith(`${labelsKey}.`) || key.startsWith(`${alertsKey}.`);
}

/** Sections whose settings nest deeper than the rows of the schema do. */
export const nestedSections = ['pricing', 'groups', 'budgets'] as const;

export type NestedSection = (typeof nestedSections)[number];

/** Sections of a YAML file with settings of the schema. */
export const sectionNames: ReadonlySet<string> = new Set(
  globalKeys.map(key => key.slice(0, key.indexOf('.'))),
);

/** True if the settings that YAML may hold include this key (`history.file`, `accounts[].name`); `alertKeys` are those of alerts. */
export function isKnownKey(key: string, alertKeys: readonly string[]): boolean {
  if (key.startsWith(`${labelsKey}.`)) return true;
  return globalKeys.includes(key) || accountKeys.includes(key) || alertKeys.includes(key);
}

const secretName = /^(?:api)?[-_]?(?:key|token)$|secret|passw|bearer|authorization/i;

/** True if somebody who writes this key means to write the API key itself below it. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** What to say of a key that no setting has: what it is, and what to do instead. */
export function describeUnknownKey(
  key: string,
  alertKeys: readonly string[],
): { readonly found: string; readonly expected: string } {
  if (key.startsWith(`${alertsKey}.`)) return describeUnknownAlertKey(key, alertKeys);
  if (isSecretName(lastPart(key))) {
    const expected =
      'keep it out of this file: write api_key_file: PATH, or api_key_env: NAME of an environment variable';
    return { found: 'the API key itself (not shown)', expected };
  }
  return { found: 'an unknown setting', expected: adviseOnUnknownKey(key) };
}

/** An unknown alert, or what a known one does not have. */
function describeUnknownAlertKey(key: string, alertKeys: readonly string[]) {
  const [alert = '', setting] = key.slice(alertsKey.length + 1).split('.');
  const settings = alertKeys.filter(each => each.startsWith(`${alertsKey}.${alert}.`));
  if (setting !== undefined && settings.length > 0) {
    const nearest = findNearestWord(setting, settings.map(lastPart));
    const advice = nearest
      ? `${alertsKey}.${alert}.${nearest}`
      : `one of ${settings.map(lastPart).join(', ')}`;
    return { found: 'an unknown setting', expected: `write ${advice}` };
  }
  const alerts = alertKeys.map(each => each.split('.')[2] ?? '');
  const nearest = findNearestWord(alert, alerts);
  const advice = nearest ?? 'the name of an alert that "dbpm-exporter rules" prints';
  return { found: 'an unknown alert', expected: `write ${advice}` };
}

function adviseOnUnknownKey(key: string): string {
  const places = [
    ...sectionNames,
    'accounts',
    ...nestedSections,
    ...globalKeys,
    labelsKey,
    alertsKey,
    ...accountKeys,
  ];
  const byLastPart = new Map(places.map(place => [lastPart(place), place]));
  const word = lastPart(key);
  const parts = [...byLastPart.keys()];
  const part = findNearestWord(word, parts) ?? parts.find(each => each.startsWith(`${word}_`));
  const nearest = part && byLastPart.get(part);
  if (nearest === key) return `write "${word}:" on a line of its own under "${key.split('.')[0]}:"`;
  if (nearest !== undefined) return `write ${nearest}`;
  const section = key.slice(0, key.lastIndexOf('.') + 1);
  const nearby = [...globalKeys, labelsKey, alertsKey, ...accountKeys].filter(
    place => section !== '' && place.startsWith(section),
  );
  return `write one of ${(nearby.length > 0 ? nearby : ['accounts', ...sectionNames, ...nestedSections]).join(', ')}`;
}
