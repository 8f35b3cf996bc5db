import { findNearestWord } from './nearest-word.ts';
import { accountSettings, globalSettings } from './setting.ts';

const lastPart = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

const globalKeys = globalSettings.map(setting => setting.key);
const accountKeys = Object.values(accountSettings)
  .filter(setting => setting.yaml)
  .map(setting => setting.key);

/** Sections of a YAML file besides `accounts`. */
export const sectionNames: ReadonlySet<string> = new Set(
  globalKeys.map(key => key.slice(0, key.indexOf('.'))),
);

/** True if the settings that YAML may hold include this key (`history.file`, `accounts[].name`). */
export function isKnownKey(key: string): boolean {
  return globalKeys.includes(key) || accountKeys.includes(key);
}

const secretName = /^(?:api)?[-_]?(?:key|token)$|secret|passw|bearer|authorization/i;

/** True if somebody who writes this key means to write the API key itself below it. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** What to say of a key that no setting has: what it is, and what to do instead. */
export function describeUnknownKey(key: string): { readonly found: string; readonly expected: string } {
  if (isSecretName(lastPart(key))) {
    const expected =
      'keep it out of this file: write api_key_file: PATH, or api_key_env: NAME of an environment variable';
    return { found: 'the API key itself (not shown)', expected };
  }
  return { found: 'an unknown setting', expected: adviseOnUnknownKey(key) };
}

function adviseOnUnknownKey(key: string): string {
  const places = [...sectionNames, 'accounts', ...globalKeys, ...accountKeys];
  const byLastPart = new Map(places.map(place => [lastPart(place), place]));
  const word = lastPart(key);
  const parts = [...byLastPart.keys()];
  const part = findNearestWord(word, parts) ?? parts.find(each => each.startsWith(`${word}_`));
  const nearest = part && byLastPart.get(part);
  if (nearest === key) return `write "${word}:" on a line of its own under "${key.split('.')[0]}:"`;
  if (nearest !== undefined) return `write ${nearest}`;
  const section = key.slice(0, key.lastIndexOf('.') + 1);
  const nearby = [...globalKeys, ...accountKeys].filter(place => section !== '' && place.startsWith(section));
  return `write one of ${(nearby.length > 0 ? nearby : ['accounts', ...sectionNames]).join(', ')}`;
}
