import type { Database } from 'better-sqlite3';
import { readFreePages } from './page/free-list.ts';
import { compareKeys, type Key } from './page/key.ts';
import type { PageFile } from './page/page-file.ts';
import type { Bounds, StoredRow } from './page/tree-page.ts';
import type { TreeReader } from './page/tree-reader.ts';
import type { StoredSchema } from './stored-schema.ts';
import { describeIndex, describeTable, isRowOf, type TableShape } from './table-shape.ts';

/** A page of a table to which no other page leads any more. */
export interface Orphan {
  readonly page: number;
  readonly firstKey: Key;
}

/** The pages that no other page leads to any more. */
export interface Orphans {
  /** In order, by table. */
  readonly pages: ReadonlyMap<string, readonly Orphan[]>;
  /** Tables that look as if they had one page, which must be another one's, as there are such pages of them. */
  readonly unexplained: ReadonlySet<string>;
}

interface SurveyedTree {
  readonly name: string;
  readonly shape: TableShape;
  readonly isTable: boolean;
  /** Parts that cannot be found. */
  readonly broken: readonly Bounds[];
  readonly isOnePage: boolean;
}

/**
 * Finds the pages below damaged ones: those that fit one of the trees with such a page, and no other. Where it cannot be known
 * which pages are free there are none, as free pages hold what was deleted.
 */
export function findOrphans(
  database: Database,
  file: PageFile,
  reader: TreeReader,
  schema: StoredSchema,
): Orphans {
  const trees = surveyTrees(database, reader, schema);
  const broken = trees.filter(tree => tree.broken.length > 0);
  const pages = new Map<string, Orphan[]>();
  const unexplained = new Set<string>();
  const free = readFreePages(file);
  for (const page of free === undefined ? [] : reader.unclaimedPages()) {
    if (free?.has(page)) continue;
    const fitting = fittingTrees(reader, page, broken);
    const [only, ...others] = bestOf(
      fitting.length > 0 ? fitting : fittingTrees(reader, page, trees.flatMap(asBroken)),
    );
    if (only === undefined || others.length > 0 || !only.isTable) continue;
    if (fitting.length === 0) unexplained.add(only.name);
    const found = pages.get(only.name) ?? [];
    found.push({ page, firstKey: only.firstKey });
    pages.set(only.name, found);
  }
  for (const found of pages.values()) found.sort((a, b) => compareKeys(a.firstKey, b.firstKey));
  return { pages, unexplained };
}

/** Another page may be in the place of the first one of a tree, which looks as if it were all of it then. */
function asBroken(tree: SurveyedTree): readonly SurveyedTree[] {
  return tree.isOnePage ? [{ ...tree, broken: [{}] }] : [];
}

function surveyTrees(database: Database, reader: TreeReader, schema: StoredSchema): readonly SurveyedTree[] {
  const objects = database
    .prepare<[], { readonly name: string; readonly type: string }>('SELECT name, type FROM sqlite_schema')
    .all();
  return objects.flatMap(({ name, type }) => {
    const isTable = type === 'table';
    const shape = isTable ? describeTable(database, name) : describeIndex(database, name);
    const stored = schema.get(name);
    if (shape === undefined) return [];
    const surveyed =
      stored === undefined
        ? { broken: [{}], isOnePage: false }
        : reader.survey({ ...shape, root: stored.root });
    return [{ name, shape, isTable, ...surveyed }];
  });
}

function fittingTrees(reader: TreeReader, page: number, trees: readonly SurveyedTree[]) {
  return trees.flatMap(({ name, isTable, shape, broken }) => {
    const rows = reader.tryRows(page, shape);
    const firstKey = rows?.[0]?.key;
    if (rows === undefined || firstKey === undefined) return [];
    if (!fits(shape, broken, rows)) return [];
    const isExact = rows.every(({ values }) => values.length === shape.columns.length);
    return [{ name, isTable, firstKey, isExact }];
  });
}

/** Rows may be shorter than their table, if they were written before it got its last columns; mostly they are not. */
function bestOf(fitting: ReturnType<typeof fittingTrees>): ReturnType<typeof fittingTrees> {
  const exact = fitting.filter(({ isExact }) => isExact);
  return exact.length > 0 ? exact : fitting;
}

function fits(shape: TableShape, broken: readonly Bounds[], rows: readonly StoredRow[]): boolean {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return false;
  if (!rows.every(({ values }) => isRowOf(shape, values))) return false;
  return broken.some(bounds => isWithin(first.key, bounds) && isWithin(last.key, bounds));
}

export function isWithin(key: Key, { after, before }: Bounds): boolean {
  const isBehind = after === undefined || compareKeys(key, after) > 0;
  return isBehind && (before === undefined || compareKeys(key, before) <= 0);
}
