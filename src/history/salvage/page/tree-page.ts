import { DamagedPage } from './damaged-page.ts';
import { compareKeys, type Key } from './key.ts';
import { type BTreePage, type Cell, parsePage } from './page.ts';
import type { PageFile } from './page-file.ts';
import { decodeRecord, type StoredValue } from './record.ts';

/** The rules by which the rows of a b-tree are ordered. */
export interface TreeOrder {
  readonly hasRowids: boolean;
  /** How many columns, from the first one on, rows are ordered by; of trees without rowids. */
  readonly keyColumns: number;
}

/** A b-tree of a file. */
export interface Tree extends TreeOrder {
  readonly root: number;
}

export interface StoredRow {
  /** The rowid, or the first columns. */
  readonly key: Key;
  readonly values: readonly StoredValue[];
}

/** Where in the order of a tree something lies: behind a key, and before or at another; absent at its ends. */
export interface Bounds {
  readonly after?: Key | undefined;
  readonly before?: Key | undefined;
}

export interface TreePage {
  readonly isLeaf: boolean;
  /** Of an interior page of a tree with rowids they have keys alone. */
  readonly rows: readonly StoredRow[];
  /** Pages that hold the rest of long rows. */
  readonly overflowPages: readonly number[];
  /** Pages with the rows between those of this one. */
  readonly children: readonly (Bounds & { readonly page: number })[];
}

/** Where the file has its header. */
const firstPageHeader = 100;

/**
 * Reads a page of a tree.
 *
 * @throws DamagedPage where any part of it is not as it must be, or its rows do not lie within the bounds.
 */
export function readTreePage(file: PageFile, page: number, order: TreeOrder, bounds: Bounds): TreePage {
  const parsed = parsePage(file.read(page), page === 1 ? firstPageHeader : 0);
  if (parsed.hasRowids !== order.hasRowids) throw new DamagedPage('it is of another tree');
  const overflowPages: number[] = [];
  const rows = parsed.cells.map(cell => decodeRow(file, cell, order, overflowPages));
  if (!isOrdered(rows, bounds)) throw new DamagedPage('its rows are out of order');
  return { isLeaf: parsed.isLeaf, rows, overflowPages, children: childrenOf(parsed, rows, bounds) };
}

function decodeRow(
  file: PageFile,
  cell: Cell,
  { hasRowids, keyColumns }: TreeOrder,
  overflowPages: number[],
): StoredRow {
  const { rowid = 0, child } = cell;
  if (hasRowids && child !== undefined) return { key: [rowid], values: [] };
  const values = decodeRecord(joinPayload(file, cell, overflowPages));
  if (values.length < keyColumns) throw new DamagedPage('a row is too short');
  return { key: hasRowids ? [rowid] : values.slice(0, keyColumns), values };
}

function joinPayload(
  file: PageFile,
  { local, payloadBytes, overflowPage = 0 }: Cell,
  overflowPages: number[],
): Buffer {
  if (local.length === payloadBytes) return local;
  if (payloadBytes > file.pageCount * file.pageSize) throw new DamagedPage('a row is too long');
  const parts = [local];
  let missing = payloadBytes - local.length;
  for (let page = overflowPage; missing > 0; ) {
    const bytes = file.read(page);
    overflowPages.push(page);
    const part = bytes.subarray(4, 4 + Math.min(missing, bytes.length - 4));
    parts.push(part);
    missing -= part.length;
    page = bytes.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Whether rows lie within the bounds, each behind the one before. */
function isOrdered(rows: readonly StoredRow[], { after, before }: Bounds): boolean {
  let last = after;
  for (const { key } of rows) {
    if (last !== undefined && compareKeys(last, key) >= 0) return false;
    last = key;
  }
  return before === undefined || last === undefined || compareKeys(last, before) <= 0;
}

function childrenOf(
  { isLeaf, cells, rightChild = 0 }: BTreePage,
  rows: readonly StoredRow[],
  bounds: Bounds,
): TreePage['children'] {
  if (isLeaf) return [];
  const before = cells.map(({ child = 0 }, index) => ({
    page: child,
    after: rows[index - 1]?.key ?? bounds.after,
    before: rows[index]?.key,
  }));
  return [...before, { page: rightChild, after: rows.at(-1)?.key ?? bounds.after, before: bounds.before }];
}
