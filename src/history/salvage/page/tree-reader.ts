import { crc32 } from 'node:zlib';
import { DamagedPage } from './damaged-page.ts';
import type { PageFile } from './page-file.ts';
import {
  type Bounds,
  readTreePage,
  type StoredRow,
  type Tree,
  type TreeOrder,
  type TreePage,
} from './tree-page.ts';

/** Rows that lie side by side, or a part of a tree that cannot be read. */
export interface Stretch extends Bounds {
  /** Undefined where they cannot be read. */
  readonly rows: readonly StoredRow[] | undefined;
}

const fewestRows = 3;

/**
 * Reads the b-trees of a file, past pages that are damaged. A page of which any part is not as it must be is not believed at
 * all.
 */
export class TreeReader {
  readonly #file: PageFile;
  /** Pages of trees that were walked. */
  readonly #walked: Uint8Array;
  /** Pages of trees that were surveyed. */
  readonly #claimed: Uint8Array;
  /** Pages that are the same as another one. */
  readonly #doubles = new Set<number>();

  constructor(file: PageFile) {
    this.#file = file;
    this.#walked = new Uint8Array(file.pageCount + 1);
    this.#claimed = new Uint8Array(file.pageCount + 1);
  }

  /** In order; every part of the tree is in one of the stretches. */
  walk(tree: Tree): Generator<Stretch> {
    return this.#walk(tree, tree.root, {});
  }

  /**
   * Takes down which pages are those of a tree, without reading the lowest ones.
   *
   * @returns the parts of it that cannot be found, as a page above them is damaged; and whether it has one page alone.
   */
  survey(tree: Tree): { readonly broken: readonly Bounds[]; readonly isOnePage: boolean } {
    const broken: Bounds[] = [];
    const root = this.#survey(tree, tree.root, {}, broken);
    return { broken, isOnePage: root?.isLeaf ?? false };
  }

  /**
   * Looks for pages of tables that are the same as one of another tree: one of them was written to the wrong place, and rows
   * of tables that have the same columns would be taken for those of the other one. None of them is believed from now on.
   */
  distrustDoubles(tables: readonly Tree[], indexes: readonly Tree[]): void {
    const first = new Map<number, { readonly page: number; readonly tree: Tree }>();
    for (const tree of [...tables, ...indexes]) {
      for (const page of this.#pagesOf(tree, tree.root, {})) {
        const sum = crc32(this.#file.read(page));
        const same = first.get(sum);
        if (same === undefined) first.set(sum, { page, tree });
        // Two indexes of the same names may be the same.
        else if (same.tree !== tree && !indexes.includes(same.tree)) this.#doubles.add(page).add(same.page);
      }
    }
  }

  /** Those with more rows than two tables have in common by chance. */
  *#pagesOf(tree: Tree, page: number, bounds: Bounds): Generator<number> {
    const read = this.#tryPage(tree, page, bounds);
    if (read === undefined) return;
    if (read.rows.length >= fewestRows) yield page;
    for (const child of read.children) yield* this.#pagesOf(tree, child.page, child);
  }

  /** Pages of no tree that was surveyed. */
  *unclaimedPages(): Generator<number> {
    for (let page = 2; page <= this.#file.pageCount; page += 1) if (this.#claimed[page] === 0) yield page;
  }

  /**
   * The rows of a page itself, whatever tree it belongs to.
   *
   * @returns undefined where it is not such a page.
   */
  tryRows(page: number, order: TreeOrder): readonly StoredRow[] | undefined {
    const read = this.#tryRead(page, order, {});
    return read === undefined || (order.hasRowids && !read.isLeaf) ? undefined : read.rows;
  }

  *#walk(tree: Tree, page: number, bounds: Bounds): Generator<Stretch> {
    const { after, before } = bounds;
    const read = this.#walked[page] === 1 ? undefined : this.#tryPage(tree, page, bounds);
    if (read === undefined) {
      yield { after, before, rows: undefined };
      return;
    }
    for (const each of [page, ...read.overflowPages]) this.#walked[each] = 1;
    if (read.isLeaf) {
      yield { after, before, rows: read.rows };
      return;
    }
    for (const [index, child] of read.children.entries()) {
      yield* this.#walk(tree, child.page, child);
      const row = read.rows[index];
      if (row !== undefined && !tree.hasRowids)
        yield { after: child.after, before: child.before, rows: [row] };
    }
  }

  /** @returns undefined where the page cannot be read. */
  #survey(tree: Tree, page: number, bounds: Bounds, broken: Bounds[]): Pick<TreePage, 'isLeaf'> | undefined {
    // A page that is not as it must be is nobody's: it is not taken for a lost one of another tree either.
    if (page <= this.#file.pageCount) this.#claimed[page] = 1;
    const read = this.#tryPage(tree, page, bounds);
    if (read === undefined) broken.push(bounds);
    for (const each of read?.overflowPages ?? []) this.#claimed[each] = 1;
    let areLeaves: boolean | undefined;
    const unread: Bounds[] = [];
    for (const child of read?.children ?? []) {
      if (areLeaves === true) {
        if (child.page <= this.#file.pageCount) this.#claimed[child.page] = 1;
        continue;
      }
      const below: Bounds[] = [];
      areLeaves = this.#survey(tree, child.page, child, below)?.isLeaf ?? areLeaves;
      unread.push(...below);
    }
    // Leaves have nothing below them that could be lost.
    if (areLeaves !== true) broken.push(...unread);
    return read;
  }

  /** A tree that is empty has one page; no other page is. */
  #tryPage(tree: Tree, page: number, bounds: Bounds): TreePage | undefined {
    const read = this.#doubles.has(page) ? undefined : this.#tryRead(page, tree, bounds);
    return read?.rows.length === 0 && page !== tree.root ? undefined : read;
  }

  #tryRead(page: number, order: TreeOrder, bounds: Bounds): TreePage | undefined {
    try {
      return readTreePage(this.#file, page, order, bounds);
    } catch (error) {
      if (error instanceof DamagedPage) return undefined;
      throw error;
    }
  }
}
