import { type Collector, collectors } from '../resources/collector.ts';
import { matchesGlob } from '../resources/glob.ts';
import { findNearestWord } from './nearest-word.ts';
import { quoteValue } from './problem.ts';
import type { ConfigChecks, Parsed, ValueKind } from './value-kind.ts';

/** A value of several items: a list in YAML, one text with commas anywhere else. */
function listKind<Item>(
  placeholder: string,
  expected: string,
  parseItems: (items: readonly string[], checks: ConfigChecks) => Parsed<readonly Item[]>,
): ValueKind<readonly Item[]> {
  const split = (text: string) => text.split(',').map(item => item.trim());
  return {
    placeholder,
    yamlType: 'string',
    expected,
    parse: (text, checks) => parseItems(text.trim() === '' ? [] : split(text), checks),
    parseItems,
    show: quoteValue,
  };
}

const collectorAdvice = `write some of ${collectors.join(', ')}`;

export const collectorList: ValueKind<readonly Collector[]> = listKind('names', collectorAdvice, items => {
  if (!items.every(item => collectors.some(collector => collector === item)) || items.length === 0) {
    return { expected: collectorAdvice };
  }
  if (items.includes('projects')) return { value: collectors.filter(collector => items.includes(collector)) };
  return { expected: 'keep projects: that list says what there is to read' };
});

const familyAdvice = 'write names of metrics, where * stands for anything, such as dbpm_endpoint_*';

/** Globs on the names of metrics, of which each matches one at least. */
export const familyGlobs: ValueKind<readonly string[]> = listKind(
  'globs',
  familyAdvice,
  (items, { familyNames }) => {
    const stray = items.find(item => !familyNames.some(name => matchesGlob(item, name)));
    if (stray === undefined) return { value: items };
    const nearest = findNearestWord(stray, familyNames);
    const missed = `${quoteValue(stray)}, which is no metric that can be left out`;
    return { expected: nearest ? `write ${nearest} instead of ${missed}` : `${familyAdvice}, not ${missed}` };
  },
);

const isProjectGlob = (item: string): boolean => item.trim() !== '' && !/\p{Cc}/u.test(item);
const projectAdvice = 'write names or ids of projects, where * stands for anything';

/** Globs on the names and ids of projects; there may be none. */
export const projectGlobs: ValueKind<readonly string[]> = listKind('globs', projectAdvice, items =>
  items.every(isProjectGlob) ? { value: items } : { expected: projectAdvice },
);

/** The same with one glob at least: with none, no project would be left. */
export const someProjectGlobs: ValueKind<readonly string[]> = listKind('globs', projectAdvice, items =>
  items.length > 0 && items.every(isProjectGlob) ? { value: items } : { expected: projectAdvice },
);
