import { type Grouping, groupNamesOf } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ConfigFile, openConfigFile } from './config-file.ts';
import { readPriceBook } from './price-book-reader.ts';
import { type Problem, sortProblems } from './problem.ts';
import { withShippedBook } from './shipped-book.ts';
import type { SourceFile } from './source-file.ts';
import { childOf, nodeProblem, writeText } from './written-node.ts';

interface PriceBookRequest {
  readonly readFile: (path: string) => SourceFile;
  /** The groupings of the configuration: plans may name their groups. */
  readonly groupings: readonly Grouping[];
  /** Its accounts: lines and adjustments may name them. Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
  readonly now: number;
}

type LoadedPriceBook =
  | { readonly pricing: PriceBook; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** Another price book for the same usage: a file with the section `pricing` alone. */
export function loadPriceBook(
  path: string,
  { readFile, groupings, accounts, now }: PriceBookRequest,
): LoadedPriceBook {
  const warnings: Problem[] = [];
  const file = openConfigFile(writeText(path, 'flag', '--what-if'), readFile, []);
  const problems = [...file.problems, ...findStrangers(file)];
  const groupNames = groupings.flatMap(groupNamesOf);
  const reading = { groupNames, accounts, now, problems, warnings };
  const pricing = readPriceBook(childOf(withShippedBook(file.root), 'pricing'), reading);
  if (pricing !== undefined && problems.length === 0) return { pricing, warnings };
  const expected = 'write plans with their prices below "pricing:", indented';
  const missing = { where: `${path}:1`, key: 'pricing', found: 'nothing', expected };
  return { problems: problems.length > 0 ? sortProblems(problems) : [missing] };
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
