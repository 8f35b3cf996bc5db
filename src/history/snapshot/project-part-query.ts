import type { Database } from 'better-sqlite3';
import { projectParts } from '../../resources/catalog.ts';
import type { Collector, PartCollector } from '../../resources/collector.ts';
import type { EndpointView } from '../../resources/endpoint.ts';
import type { OperationTotals } from '../../resources/operation.ts';
import type { ProjectView } from '../../resources/project.ts';
import type { AnyProjectPart } from '../../resources/project-part.ts';
import { FieldColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';

/** An operation that has not ended. */
export interface OpenOperation {
  readonly operation_id: string;
  readonly action: string;
  readonly status: string;
  readonly created_at: number | null;
  readonly retry_at: number | null;
}

type Ended = OperationTotals['ended'][number];
type AttemptFailures = OperationTotals['attemptFailures'][number];
type StateDuration = NonNullable<EndpointView['stateDurations']>[number];

/** Parts of projects that other tables than their own remember: by project, durations by endpoint. */
export interface ProjectParts {
  readonly endpoints: ReadonlyMap<number, readonly StoredRow[]>;
  readonly stateDurations: ReadonlyMap<number, readonly StateDuration[]>;
  readonly ended: ReadonlyMap<number, readonly Ended[]>;
  readonly attemptFailures: ReadonlyMap<number, readonly AttemptFailures[]>;
  readonly open: ReadonlyMap<number, readonly OpenOperation[]>;
  readonly totals: ReadonlyMap<number, PartTotals>;
}

/** Reads back the parts of projects, of many at once: with statements for each of thousands a start would take long. */
export class ProjectPartQuery {
  readonly #statements;
  readonly #reads: { readonly endpoints: boolean; readonly operations: boolean };
  readonly #parts: readonly PartQuery[];

  /** @param collectors the ones that are on: what others once read is not shown, and decides nothing. */
  constructor(database: Database, collectors: readonly Collector[]) {
    this.#reads = {
      endpoints: collectors.includes('endpoints'),
      operations: collectors.includes('operations'),
    };
    this.#parts = projectParts
      .filter(({ collector }) => collectors.includes(collector))
      .map(part => new PartQuery(database, part));
    this.#statements = prepare(database);
  }

  read(range: ProjectRange): ProjectParts {
    const statements = this.#statements;
    const totals = new Map<number, PartTotals>();
    for (const part of this.#parts) part.addTotals(range, totals);
    const ofEndpoints = <Row>(read: (range: ProjectRange) => Row[]) =>
      this.#reads.endpoints ? read(range) : [];
    const ofOperations = <Row>(read: (range: ProjectRange) => Row[]) =>
      this.#reads.operations ? read(range) : [];
    return {
      endpoints: group(ofEndpoints(statements.endpoints), row => [Number(row.project_ref), row]),
      stateDurations: group(ofEndpoints(statements.stateDurations), ([ref, state, durationMs]) => [
        ref,
        { state, durationMs },
      ]),
      ended: group(ofOperations(statements.ended), ([ref, action, status, count, lastEndedAt]) => [
        ref,
        { action, status, count, lastEndedAt },
      ]),
      attemptFailures: group(ofOperations(statements.attemptFailures), ([ref, action, count]) => [
        ref,
        { action, count },
      ]),
      open: group(ofOperations(statements.open), ({ project_ref, ...operation }) => [project_ref, operation]),
      totals,
    };
  }
}

function group<Row, Part>(
  rows: readonly Row[],
  split: (row: Row) => readonly [ref: number, part: Part],
): ReadonlyMap<number, readonly Part[]> {
  const parts = new Map<number, Part[]>();
  for (const row of rows) {
    const [ref, part] = split(row);
    const known = parts.get(ref);
    if (known === undefined) parts.set(ref, [part]);
    else known.push(part);
  }
  return parts;
}

function prepare(database: Database) {
  const sql = statementsOf(database);
  return {
    endpoints: sql.all<[ProjectRange], StoredRow>`
      SELECT * FROM endpoint
      WHERE project_ref BETWEEN @from AND @until AND gone_at IS NULL AND first_seen_at IS NOT NULL
      ORDER BY endpoint_ref`,
    stateDurations: sql.tuples<[ProjectRange], [endpoint_ref: number, state: string, durationMs: number]>`
      SELECT endpoint_ref, state, duration_ms FROM endpoint CROSS JOIN state_duration USING (endpoint_ref)
      WHERE project_ref BETWEEN @from AND @until AND gone_at IS NULL AND first_seen_at IS NOT NULL`,
    ended: sql.tuples<
      [ProjectRange],
      [number, action: string, status: string, count: number, endedAt: number]
    >`
      SELECT project_ref, action, status, count, last_ended_at FROM operation_count
      WHERE project_ref BETWEEN @from AND @until`,
    attemptFailures: sql.tuples<[ProjectRange], [project_ref: number, action: string, count: number]>`
      SELECT project_ref, action, count FROM attempt_failure_count
      WHERE project_ref BETWEEN @from AND @until`,
    open: sql.all<[ProjectRange], OpenOperation & { readonly project_ref: number }>`
      SELECT project_ref, operation_id, action, status, created_at, retry_at FROM operation
      WHERE project_ref BETWEEN @from AND @until AND phase = 'open' ORDER BY action, status, operation_id`,
  };
}

interface ListingRow {
  readonly project_ref: number;
  readonly served_at: number;
}

/** What the items of projects come to, by the collector of their resource. */
export type PartTotals = Pick<ProjectView, PartCollector>;

/** Reads back from the history what projects have of a resource. */
class PartQuery {
  readonly #part: AnyProjectPart;
  readonly #columns: FieldColumns<AnyProjectPart['item']['fields']>;
  readonly #statements;

  constructor(database: Database, part: AnyProjectPart) {
    const sql = statementsOf(database);
    const { table, view = table } = part;
    this.#part = part;
    this.#columns = new FieldColumns(part.item.fields);
    this.#statements = {
      listings: sql.all<[ProjectRange & { readonly collector: string }], ListingRow>`
        SELECT project_ref, served_at FROM part_listing
        WHERE project_ref BETWEEN @from AND @until AND collector = @collector`,
      items: sql.all<[ProjectRange], StoredRow>`
        SELECT * FROM ${view} WHERE project_ref BETWEEN @from AND @until`,
    };
  }

  /** Adds totals by project; one whose list was never read has none. */
  addTotals(range: ProjectRange, totals: Map<number, PartTotals>): void {
    const { collector } = this.#part;
    const items = Map.groupBy(this.#statements.items(range), row => Number(row.project_ref));
    for (const { project_ref, served_at } of this.#statements.listings({ ...range, collector })) {
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

/** Projects whose rows lie one after the other, from the first to the last. */
interface ProjectRange {
  readonly from: number;
  readonly until: number;
}
