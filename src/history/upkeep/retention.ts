import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { dayOf } from '../usage/roll-up-query.ts';

/** Kinds of rows, each kept for a time of its own; `samples` are all rows with a time to the second. */
export const retentionKinds = ['samples', 'hours', 'days', 'operations'] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** How long rows are kept, in milliseconds. What older ones add up to stays in coarser rows and in the counters. */
export type RetentionTimes = Readonly<Record<RetentionKind, number>>;

const forEver = Number.MAX_SAFE_INTEGER;

export const keepAll: RetentionTimes = {
  samples: forEver,
  hours: forEver,
  days: forEver,
  operations: forEver,
};

/** Instant from which on rows of a kind are all still there; 0 while none was pruned. */
export function keptFromAt(database: Database, kind: RetentionKind): number {
  return (
    statementsOf(database).value<[string], number>`
      SELECT kept_from_at FROM retention WHERE kind = ?`(kind) ?? 0
  );
}

/**
 * Deletes rows that are older than they are kept, a few projects at a time. The last row before stays where rows are
 * totals: later ones are read as differences to it.
 */
export function retentionOf(database: Database, times: RetentionTimes) {
  const sql = statementsOf(database);
  const keep = sql.run<[string, number]>`
    INSERT INTO retention VALUES (?, ?) ON CONFLICT DO UPDATE SET kept_from_at = excluded.kept_from_at`;
  const next = sql.values<[number, number], number>`
    SELECT project_ref FROM project WHERE project_ref > ? ORDER BY project_ref LIMIT ?`;
  const findFuture = sql.one<[number], unknown>`SELECT 1 FROM retention WHERE kept_from_at > ? LIMIT 1`;
  const setBack = sql.run<[number]>`UPDATE retention SET kept_from_at = min(kept_from_at, ?)`;
  const completeFrom = sql.value<[], number>`
    SELECT max(oldest) FROM (SELECT min(at) AS oldest, first_seen_at FROM cpu_sample JOIN project USING (project_ref)
    GROUP BY project_ref) WHERE oldest > first_seen_at`;
  const prunes = preparePrunes(database);
  /** The project to go on with and until when rows are deleted, by kind. */
  const progress = new Map<RetentionKind, { readonly project_ref: number; readonly horizonAt: number }>();

  /** Instant before which rows of a kind may go: the beginning of a day of UTC. */
  function horizonOf(kind: RetentionKind, now: number): number {
    return dayOf(now - times[kind]) * dayMs;
  }

  return {
    horizonOf,
    /**
     * Takes back what says that rows are pruned of a time still to come. Samples are complete from where the oldest of
     * each project that lost some is; of other rows only those to come are certain.
     */
    takeBack(now: number): void {
      if (findFuture(now) === undefined) return;
      if (keptFromAt(database, 'samples') > now) keep('samples', Math.min(completeFrom() ?? now, now));
      setBack(now);
      progress.clear();
    },
    /** @returns whether there may be more to do. */
    prune(kind: RetentionKind, now: number, projects: number): boolean {
      const horizonAt = horizonOf(kind, now);
      if (horizonAt <= 0) return false;
      const before = progress.get(kind);
      const from = before?.horizonAt === horizonAt ? before.project_ref : 0;
      if (from === Number.POSITIVE_INFINITY) return false;
      if (from === 0 && horizonAt > keptFromAt(database, kind)) keep(kind, horizonAt);
      const refs = next(from, projects);
      for (const project_ref of refs) for (const prune of prunes[kind]) prune({ project_ref, horizonAt });
      const isMore = refs.length === projects;
      progress.set(kind, { project_ref: isMore ? (refs.at(-1) ?? 0) : Number.POSITIVE_INFINITY, horizonAt });
      return isMore;
    },
  };
}

type Pruned = { readonly project_ref: number; readonly horizonAt: number };

function preparePrunes(database: Database) {
  const sql = statementsOf(database);
  const ofProject = (table: string, column: string, horizon: string) =>
    sql.run<[Pruned]>`
      DELETE FROM ${table} WHERE project_ref = @project_ref AND ${column} <
        (SELECT max(${column}) FROM ${table} WHERE project_ref = @project_ref AND ${column} < ${horizon})`;
  const isOfEndpoint = 'endpoint_ref IN (SELECT endpoint_ref FROM endpoint WHERE project_ref = @project_ref)';
  const ofEndpoints = (table: string, column: string, horizon: string) =>
    sql.run<[Pruned]>`
      DELETE FROM ${table} AS old WHERE ${isOfEndpoint} AND ${column} <
        (SELECT max(${column}) FROM ${table} WHERE endpoint_ref = old.endpoint_ref AND ${column} < ${horizon})`;
  // Lives are kept for ever, as bills count projects and endpoints.
  const changes = (table: string, ref: string, isOfProject: string) =>
    sql.run<[Pruned]>`
      DELETE FROM ${table} AS old WHERE ${isOfProject} AND field NOT IN ('created_at', 'project_name', 'branch_id') AND from_at < (SELECT max(from_at) FROM ${table}
        WHERE ${ref} = old.${ref} AND field = old.field AND from_at < @horizonAt)`;
  return {
    samples: [
      ofProject('cpu_sample', 'at', '@horizonAt'),
      ofProject('cpu_count_start', 'at', '@horizonAt'),
      ofEndpoints('compute_interval', 'from_at', '@horizonAt'),
      ofEndpoints('state_interval', 'from_at', '@horizonAt'),
      ofEndpoints('endpoint_use', 'from_at', '@horizonAt'),
      changes('endpoint_change', 'endpoint_ref', isOfEndpoint),
      changes('project_change', 'project_ref', 'project_ref = @project_ref'),
    ],
    hours: [ofProject('usage_hour', 'hour', `@horizonAt / ${hourMs}`)],
    days: [
      ofProject('usage_day', 'day', `@horizonAt / ${dayMs}`),
      ofEndpoints('compute_day', 'day', `@horizonAt / ${dayMs}`),
    ],
    operations: [
      sql.run<[Pruned]>`
        DELETE FROM operation WHERE project_ref = @project_ref AND phase <> 'open'
          AND created_at < @horizonAt AND coalesce(updated_at, created_at) < @horizonAt`,
    ],
  } satisfies Readonly<Record<RetentionKind, readonly unknown[]>>;
}
