import { accountSettings } from './account-setting.ts';
import { alertsKey, labelsKey } from './alert-setting.ts';
import { findNearestWord, type Problem } from './problem.ts';
import { globalSettings, ignoreKey, sectionSettings } from './setting.ts';
import { lastPart } from './setting-row.ts';

/** Sections whose settings nest deeper than the rows of the schema do, and how deep the lines of each are. */
export const nestedLevels: ReadonlyMap<string, number> = new Map([
  ['pricing', 2],
  ['groups', 2],
  ['budgets', 1],
  ['reconcile', 2],
  ['links', 2],
]);

/** Sections with settings of the schema. */
const sectionNames: readonly string[] = [
  ...new Set(sectionSettings.map(({ key }) => key.slice(0, key.indexOf('.')))),
];

const places = [
  ...sectionNames,
  'accounts',
  ...nestedLevels.keys(),
  ...globalSettings.map(({ key }) => key),
  labelsKey,
  ignoreKey,
  alertsKey,
  ...Object.values(accountSettings).flatMap(({ key, yaml = true }) => (yaml ? key : [])),
];
const placeByWord = new Map(places.map(place => [lastPart(place), place]));

type Said = Pick<Problem, 'found' | 'expected'>;

const secretName = /^(?:api)?[-_]?(?:key|token)$|secret|passw|bearer|authorization/i;

/** Whether a key is meant to have the API key itself below it. */
export function isSecretName(key: string): boolean {
  return secretName.test(lastPart(key));
}

/** The problem with an API key in the file. */
export const writtenKey: Said = {
  found: 'the API key itself (not shown)',
  expected:
    'keep it out of this file: write api_key_file: PATH, or api_key_env: NAME of an environment variable',
};

/** The problem with a key that no setting has and that stands where the `known` ones can. */
export function describeUnknownKey(key: string, known: readonly string[]): Said {
  const [section = ''] = key.split(/[.[]/, 1);
  const word = lastPart(key);
  const parent = key.slice(0, -word.length);
  if (parent === `${alertsKey}.`) {
    const nearest = findNearestWord(word, known);
    const expected = `write ${nearest ?? 'the name of an alert that "dbpm-exporter rules" prints'}`;
    return { found: 'an unknown alert', expected };
  }
  if (isSecretName(key)) return writtenKey;
  const isNested = nestedLevels.has(section) || [alertsKey, ignoreKey].some(key => parent.startsWith(key));
  const advise = isNested ? adviseBeside : adviseAnywhere;
  return { found: 'an unknown setting', expected: `write ${advise(parent, word, known)}` };
}

/** In sections that nest, the same word means something else elsewhere. */
function adviseBeside(parent: string, word: string, known: readonly string[]): string {
  const nearest = findNearestWord(word, known);
  if (nearest === undefined) return `one of ${known.join(', ')}`;
  // An alert has few settings, which are not as those of another one.
  const others = parent.startsWith(alertsKey) ? known.filter(each => each !== nearest) : [];
  return `${parent}${nearest}${others.length > 0 ? `, or one of ${others.join(', ')}` : ''}`;
}

function adviseAnywhere(parent: string, word: string, known: readonly string[]): string {
  const general = parent.replace(/\[\d+\]/, '[]');
  const words = [...placeByWord.keys()];
  const near = findNearestWord(word, words) ?? words.find(each => each.startsWith(`${word}_`));
  const place = near && placeByWord.get(near);
  const prefix = places.some(each => each.startsWith(general)) ? general : '';
  if (place === undefined) return `one of ${known.map(name => `${prefix}${name}`).join(', ')}`;
  const [section] = place.split('.');
  return place === `${general}${word}` ? `"${word}:" on a line of its own under "${section}:"` : place;
}
