import type { Grouping } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { readPriceBook } from './price-book-reader.ts';
import { type Problem, quoteValue, sortProblems } from './problem.ts';
import { describeReadFailure, type SourceFile } from './source-file.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';

interface PriceBookRequest {
  readonly readFile: (path: string) => SourceFile;
  /** Of the configuration: plans may name their groups. */
  readonly groupings: readonly Grouping[];
  readonly now: number;
}

export type LoadedPriceBook =
  | { readonly pricing: PriceBook; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** Another price book for the same usage: a file with the section `pricing` alone. */
export function loadPriceBook(path: string, { readFile, groupings, now }: PriceBookRequest): LoadedPriceBook {
  const warnings: Problem[] = [];
  const file = read(path, readFile);
  if (!('nested' in file)) return { problems: [file] };
  const problems = [...file.problems, ...findStrangers(file)];
  const groupNames = groupings.flatMap(({ name, groups }) => groups.map(group => `${name}/${group.name}`));
  const pricing = readPriceBook(file.nested.get('pricing'), { groupNames, now, problems, warnings });
  if (pricing === undefined && problems.length === 0) {
    const expected = 'write plans with their prices below "pricing:", indented';
    problems.push({ where: `${path}:1`, key: 'pricing', found: 'nothing', expected });
  }
  return pricing === undefined || problems.length > 0
    ? { problems: sortProblems(problems) }
    : { pricing, warnings };
}

function read(path: string, readFile: PriceBookRequest['readFile']): YamlFile | Problem {
  try {
    return readYamlFile(readFile(path).text, path, []);
  } catch (error) {
    const found = `${quoteValue(path)}, ${describeReadFailure(error)}`;
    return { where: 'flag', key: '--what-if', found, expected: 'write the path of a readable YAML file' };
  }
}

/** What a configuration has besides prices would be without effect here. */
function findStrangers({ values, accounts, nested }: YamlFile): Problem[] {
  const others = [...nested].flatMap(([section, node]) => (section === 'pricing' ? [] : [node]));
  return [...values.values(), ...accounts, ...others].map(({ where, key }) => ({
    where,
    key,
    found: 'a setting that changes no price',
    expected: 'keep the section pricing alone in this file',
  }));
}
