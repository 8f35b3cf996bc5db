import { apiKeyItem } from '../resources/api-key.ts';
import {
  type Field,
  type FieldTable,
  type FieldValues,
  namesOf,
  type StoredValue,
} from '../resources/declared-field.ts';
import { endpointItem } from '../resources/endpoint.ts';
import { projectItem } from '../resources/project.ts';
import { periodFields } from '../resources/project-usage.ts';

/** A row as SQLite gives it. */
export type StoredRow = Readonly<Record<string, StoredValue>>;

/** The columns in which the fields of an item are remembered, by its declaration. */
export class FieldColumns<Table extends FieldTable> {
  /** The names of all columns. */
  readonly columns: readonly string[];
  readonly #fields: Table;
  readonly #own: readonly (keyof Table & string)[];
  readonly #others: readonly (keyof Table & string)[];
  readonly #otherFields: string;

  /** @param otherFields the column of JSON with what has none of its own. */
  constructor(fields: Table, otherFields = 'other_fields') {
    this.#otherFields = otherFields;
    const isRemembered = (field: Field<unknown>) => field.remembers !== 'nothing';
    this.#fields = fields;
    this.#own = namesOf(fields, field => isRemembered(field) && field.isColumn === true);
    this.#others = namesOf(fields, field => isRemembered(field) && field.isColumn !== true);
    this.columns = [...this.#own, ...(this.#others.length > 0 ? [otherFields] : [])];
  }

  /** The columns of an item. */
  write(item: FieldValues<Table>): Record<string, StoredValue> {
    const row: Record<string, StoredValue> = {};
    for (const name of this.#own) row[name] = asStored(item[name]);
    if (this.#others.length > 0) row[this.#otherFields] = this.#writeOthers(item);
    return row;
  }

  /** The fields of a row, as they were decoded: "absent" has one form only. */
  read(row: StoredRow): FieldValues<Table> {
    const own: Record<string, unknown> = {};
    for (const name of this.#own) {
      const value = row[name];
      if (value !== null && value !== undefined) own[name] = this.#fields[name]?.isFlag ? value === 1 : value;
    }
    const others = row[this.#otherFields];
    const fields = typeof others === 'string' ? { ...own, ...JSON.parse(others) } : own;
    return fields as FieldValues<Table>;
  }

  /** In the order they are declared in: what is the same is written the same. */
  #writeOthers(item: FieldValues<Table>): string | null {
    const others: Record<string, unknown> = {};
    let isAny = false;
    for (const name of this.#others) {
      if (item[name] === undefined) continue;
      others[name] = item[name];
      isAny = true;
    }
    return isAny ? JSON.stringify(others) : null;
  }
}

export const projectColumns = new FieldColumns(projectItem.fields);
export const endpointColumns = new FieldColumns(endpointItem.fields);
export const apiKeyColumns = new FieldColumns(apiKeyItem.fields);

/** The use of a project in a period of the service. */
export const periodColumns = new FieldColumns(periodFields, 'period_use');

/** A decoded value as SQLite takes it. */
export function asStored(value: unknown): StoredValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The columns of a `NamedProjectRow`, for a statement about projects with their accounts. */
export const namedProject = `account, project_id, project_name, project.region_id, platform_id, owner_id, org_id, org_name,
  project.created_at, project.gone_at`;

/** The columns that tell which project it is, whose, and when it was there: epoch milliseconds by the service's clock. */
export interface NamedProjectRow {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly region_id: string | null;
  readonly platform_id: string | null;
  readonly owner_id: string | null;
  readonly org_id: string | null;
  readonly org_name: string | null;
  readonly created_at: number | null;
  readonly gone_at: number | null;
}
