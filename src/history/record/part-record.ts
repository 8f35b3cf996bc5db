import type { Database } from 'better-sqlite3';
import type { AnyProjectPart } from '../../resources/project-part.ts';
import type { ListReading } from '../../resources/reading.ts';
import { FieldColumns } from '../column.ts';
import { ListedRecord } from './listed-record.ts';

/** Writes lists that projects have of a resource; all calls happen inside the transaction of one reading. */
export class PartRecord {
  readonly #part: AnyProjectPart;
  readonly #columns: FieldColumns<AnyProjectPart['item']['fields']>;
  readonly #items: ListedRecord;
  readonly #served;

  constructor(database: Database, part: AnyProjectPart) {
    const { table, item, derived } = part;
    this.#part = part;
    this.#columns = new FieldColumns(item.fields);
    const columns = [...this.#columns.columns, ...derived];
    this.#items = new ListedRecord(database, { table, within: 'project_ref', id: item.id, columns });
    this.#served = database.prepare<[number, string, number]>(
      `INSERT INTO part_listing (project_ref, collector, served_at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET served_at = excluded.served_at`,
    );
  }

  recordList(project_ref: number, { items, complete }: ListReading<object>, servedAt: number): void {
    const { list, collector } = this.#part;
    const listed = new Set<string>();
    for (const item of items) {
      const id = list.identify(item);
      const before = this.#items.find(project_ref, id);
      const row = { ...this.#columns.write(item), ...this.#part.derive(item, before, servedAt) };
      this.#items.put({ within: project_ref, id, row, servedAt }, before);
      listed.add(id);
    }
    this.#items.leave(project_ref, listed, { complete, servedAt });
    this.#served.run(project_ref, collector, servedAt);
  }
}
