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

/**
 * Reads back the parts of projects, of many at once: with statements for each of thousands a start would take long.
 *
 * @param collectors the ones that are on: what others once read is not shown, and decides nothing.
 */
export function projectPartsOf(database: Database, collectors: readonly Collector[]) {
  const sql = statementsOf(database);
  const addTotals = projectParts
    .filter(({ collector }) => collectors.includes(collector))
    .map(part => partTotalsOf(database, part));
  const whereOn = <Row>(collector: Collector, read: (range: ProjectRange) => Row[]) =>
    collectors.includes(collector) ? read : () => [];
  const readEndpoints = whereOn(
    'endpoints',
    sql.all<[ProjectRange], StoredRow>`
      SELECT * FROM endpoint
      WHERE project_ref BETWEEN @from AND @until AND gone_at IS NULL AND first_seen_at IS NOT NULL
      ORDER BY endpoint_ref`,
  );
  const readStateDurations = whereOn(
    'endpoints',
    sql.tuples<[ProjectRange], [endpoint_ref: number, state: string, durationMs: number]>`
      SELECT endpoint_ref, state, duration_ms FROM endpoint CROSS JOIN state_duration USING (endpoint_ref)
      WHERE project_ref BETWEEN @from AND @until AND gone_at IS NULL AND first_seen_at IS NOT NULL`,
  );
  const readEnded = whereOn(
    'operations',
    sql.tuples<[ProjectRange], [number, action: string, status: string, count: number, endedAt: number]>`
      SELECT project_ref, action, status, count, last_ended_at FROM operation_count
      WHERE project_ref BETWEEN @from AND @until`,
  );
  const readAttemptFailures = whereOn(
    'operations',
    sql.tuples<[ProjectRange], [project_ref: number, action: string, count: number]>`
      SELECT project_ref, action, count FROM attempt_failure_count
      WHERE project_ref BETWEEN @from AND @until`,
  );
  const readOpen = whereOn(
    'operations',
    sql.all<[ProjectRange], OpenOperation & { readonly project_ref: number }>`
      SELECT project_ref, operation_id, action, status, created_at, retry_at FROM operation
      WHERE project_ref BETWEEN @from AND @until AND phase = 'open' ORDER BY action, status, operation_id`,
  );
  return (range: ProjectRange): ProjectParts => {
    const totals = new Map<number, PartTotals>();
    for (const add of addTotals) add(range, totals);
    return {
      endpoints: group(readEndpoints(range), row => [Number(row.project_ref), row]),
      stateDurations: group(readStateDurations(range), ([ref, state, durationMs]) => [
        ref,
        { state, durationMs },
      ]),
      ended: group(readEnded(range), ([ref, action, status, count, lastEndedAt]) => [
        ref,
        { action, status, count, lastEndedAt },
      ]),
      attemptFailures: group(readAttemptFailures(range), ([ref, action, count]) => [ref, { action, count }]),
      open: group(readOpen(range), ({ project_ref, ...operation }) => [project_ref, operation]),
      totals,
    };
  };
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

/** What the items of projects come to, by the collector of their resource. */
export type PartTotals = Pick<ProjectView, PartCollector>;

/** Adds what projects have of a resource to totals by project; one whose list was never read has none. */
function partTotalsOf(database: Database, part: AnyProjectPart) {
  const sql = statementsOf(database);
  const { table, view = table, collector, item } = part;
  const columns = new FieldColumns(item.fields);
  type Listing = [project_ref: number, servedAt: number];
  const readListings = sql.tuples<[ProjectRange & { readonly collector: string }], Listing>`
    SELECT project_ref, served_at FROM part_listing
    WHERE project_ref BETWEEN @from AND @until AND collector = @collector`;
  const readItems = sql.all<[ProjectRange], StoredRow>`
    SELECT * FROM ${view} WHERE project_ref BETWEEN @from AND @until`;
  /** The fields of an item as they were decoded, with the other columns as they are. */
  const describe = (row: StoredRow): object => ({
    ...Object.fromEntries(Object.entries(row).filter(([column]) => !(column in item.fields))),
    ...columns.read(row),
  });
  return (range: ProjectRange, totals: Map<number, PartTotals>): void => {
    const items = Map.groupBy(readItems(range), row => Number(row.project_ref));
    for (const [project_ref, servedAt] of readListings({ ...range, collector })) {
      const total = part.total((items.get(project_ref) ?? []).map(describe), servedAt);
      if (total === undefined) continue;
      // A part and what its items come to are declared together.
      const own = { [collector]: total } as PartTotals;
      totals.set(project_ref, { ...totals.get(project_ref), ...own });
    }
  };
}

/** Projects whose rows lie one after the other, from the first to the last. */
interface ProjectRange {
  readonly from: number;
  readonly until: number;
}
