import type { PartCollector } from './collector.ts';
import type { FieldTable, StoredValue } from './declared-field.ts';
import type { Family } from './family.ts';
import type { ListDefinition } from './list-definition.ts';

/**
 * A resource that each project has a list of. It is read by itself, a request a project, at a pace of its own; the project
 * is shown with what its items come to, under the name of the collector.
 */
export interface ProjectPart<Item extends object, Row extends object, Totals extends object> {
  readonly collector: PartCollector;
  /** The declaration of an item. */
  readonly item: { readonly id: string; readonly fields: FieldTable };
  readonly list: ListDefinition<Item>;
  /** Its table in the history, and a view of that with what other tables know of an item, where there is one. */
  readonly table: string;
  readonly view?: string;
  /** The columns besides the fields, by name. */
  readonly derived: readonly string[];
  /** @param before the columns as they were; undefined for an item that is new. */
  derive(item: Item, before: Row | undefined, servedAt: number): Readonly<Record<string, StoredValue>>;
  /**
   * @param rows the items of a project as they were listed last: fields, and the columns of its table or view.
   * @returns undefined where they tell nothing.
   */
  total(rows: readonly Row[], listedAt: number): Totals | undefined;
  /** The totals of a project that has a few of them. */
  readonly typical: Totals;
  readonly families: Readonly<Record<string, Family<{ readonly [Name in PartCollector]?: Totals }>>>;
}

/** A resource of projects, whichever it is. */
export type AnyProjectPart = ProjectPart<object, object, object>;
