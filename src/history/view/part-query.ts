import type { Database } from 'better-sqlite3';
import type { PartCollector } from '../../resources/collector.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { AnyProjectPart } from '../../resources/project-part.ts';
import { FieldColumns, type StoredRow } from '../column.ts';
import type { ProjectRange } from './project-range.ts';

interface ListingRow {
  readonly project_ref: number;
  readonly served_at: number;
}

/** What the items of projects come to, by the collector of their resource. */
export type PartTotals = Pick<ProjectView, PartCollector>;

/** Reads back from the history what projects have of a resource. */
export class PartQuery {
  readonly #part: AnyProjectPart;
  readonly #columns: FieldColumns<AnyProjectPart['item']['fields']>;
  readonly #statements;

  constructor(database: Database, part: AnyProjectPart) {
    const { table, view = table } = part;
    this.#part = part;
    this.#columns = new FieldColumns(part.item.fields);
    this.#statements = {
      listings: database.prepare<[ProjectRange & { readonly collector: string }], ListingRow>(
        `SELECT project_ref, served_at FROM part_listing
         WHERE project_ref BETWEEN @from AND @until AND collector = @collector`,
      ),
      items: database.prepare<[ProjectRange], StoredRow>(
        `SELECT * FROM ${view} WHERE project_ref BETWEEN @from AND @until`,
      ),
    };
  }

  /** Adds totals by project; one whose list was never read has none. */
  addTotals(range: ProjectRange, totals: Map<number, PartTotals>): void {
    const { collector } = this.#part;
    const items = Map.groupBy(this.#statements.items.all(range), row => Number(row.project_ref));
    for (const { project_ref, served_at } of this.#statements.listings.all({ ...range, collector })) {
      const rows = (items.get(project_ref) ?? []).map(row => this.#describe(row));
      const total = this.#part.total(rows, served_at);
      if (total === undefined) continue;
      // A part and what its items come to are declared together.
      const own = { [collector]: total } as PartTotals;
      totals.set(project_ref, { ...totals.get(project_ref), ...own });
    }
  }

  /** The fields of an item as they were decoded, with the other columns as they are. */
  #describe(row: StoredRow): object {
    const { fields } = this.#part.item;
    const others = Object.entries(row).filter(([column]) => !(column in fields));
    return { ...Object.fromEntries(others), ...this.#columns.read(row) };
  }
}
