import type { Grouping } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { readPriceBook } from './price-book-reader.ts';
import { type Problem, quoteValue, sortProblems } from './problem.ts';
import { describeReadFailure, type SourceFile } from './source-file.ts';
import { childOf, nodeProblem } from './written-node.ts';

interface PriceBookRequest {
  readonly readFile: (path: string) => SourceFile;
  /** Those of the configuration: plans may name their groups. */
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
  if (!('root' in file)) return { problems: [file] };
  const problems = [...file.problems, ...findStrangers(file)];
  const groupNames = groupings.flatMap(({ name, groups }) => groups.map(group => `${name}/${group.name}`));
  const pricing = readPriceBook(childOf(file.root, 'pricing'), { groupNames, now, problems, warnings });
  if (pricing !== undefined && problems.length === 0) return { pricing, warnings };
  const expected = 'write plans with their prices below "pricing:", indented';
  const missing = { where: `${path}:1`, key: 'pricing', found: 'nothing', expected };
  return { problems: problems.length > 0 ? sortProblems(problems) : [missing] };
}

function read(path: string, readFile: PriceBookRequest['readFile']): ConfigFile | Problem {
  try {
    return readConfigFile(readFile(path).text, path, []);
  } catch (error) {
    const found = `${quoteValue(path)}, ${describeReadFailure(error)}`;
    return { where: 'flag', key: '--what-if', found, expected: 'write the path of a readable YAML file' };
  }
}

/** The other settings of a configuration would be without effect here. */
function findStrangers({ root, values, accounts }: ConfigFile): Problem[] {
  const others = ['groups', 'budgets'].flatMap(key => childOf(root, key) ?? []);
  const found = 'a setting that changes no price';
  const expected = 'keep the section pricing alone in this file';
  return [
    ...[...values.values(), ...others].map(node => nodeProblem(node, found, expected)),
    ...accounts.map(({ where, key }) => ({ where, key, found, expected })),
  ];
}
