import { meterMetrics } from '../../resources/meter.ts';

/** Something that is so in every history, with a query of how many rows are otherwise. */
interface Invariant {
  readonly table: string;
  /** The fault of the rows, as it follows their number. */
  readonly otherwise: string;
  readonly countWrong: string;
}

/** A sum of doubles may be off in the last digits. */
const roundingSeconds = 0.01;

/** Columns that are never less than zero. */
const notNegativeColumns = [
  ['project', 'cpu_used_total_sec'],
  ['project', 'cpu_used_resets'],
  ['account', 'cpu_used_total_sec'],
  ['endpoint', 'starts'],
  ['endpoint', 'suspends'],
  ['state_duration', 'duration_ms'],
  ['operation_count', 'count'],
  ['attempt_failure_count', 'count'],
  ['operation_duration', 'count'],
  ['collector_error', 'count'],
  ['api_key', 'source_address_changes'],
] as const;

const notNegative = notNegativeColumns.map(
  ([table, column]): Invariant => ({
    table,
    otherwise: `with a negative ${column}`,
    countWrong: `SELECT count(*) FROM ${table} WHERE ${column} < 0`,
  }),
);

/** Tables of stretches of time that do not overlap, with what they are of. */
const orderedStretches = [
  ['key_use', 'key_ref'],
  ['endpoint_use', 'endpoint_ref'],
] as const;

const inOrder = orderedStretches.map(
  ([table, ref]): Invariant => ({
    table,
    otherwise: 'that end before they begin, or after the next one begins',
    countWrong: `SELECT count(*) FROM (SELECT from_at, until_at,
      lead(from_at) OVER (PARTITION BY ${ref} ORDER BY from_at) AS next_at FROM ${table})
      WHERE until_at < from_at OR until_at > next_at`,
  }),
);

/** Totals that never fall: the table, what they are of, their order and the total. */
const neverFallingTotals = [
  ['usage_hour', 'project_ref', 'hour', 'total'],
  ['usage_day', 'project_ref', 'day', 'total'],
  ['compute_interval', 'endpoint_ref', 'from_at', 'lower_total'],
  ['compute_interval', 'endpoint_ref', 'from_at', 'upper_total'],
] as const;

const neverFalling = neverFallingTotals.map(
  ([table, ref, order, total]): Invariant => ({
    table,
    otherwise: `whose ${total} is less than that of the one before`,
    countWrong: `SELECT count(*) FROM (SELECT ${total} AS total,
      lag(${total}) OVER (PARTITION BY ${ref} ORDER BY ${order}) AS before FROM ${table})
      WHERE total < before - 1`,
  }),
);

/** Our rules for a history, besides the ones of SQLite. */
export const invariants: readonly Invariant[] = [
  ...notNegative,
  ...inOrder,
  ...neverFalling,
  {
    table: 'state_interval',
    otherwise: 'that begin after the time their endpoint is known until',
    countWrong: `SELECT count(*) FROM state_interval JOIN endpoint USING (endpoint_ref)
      WHERE from_at > ledger_until_at OR ledger_until_at IS NULL`,
  },
  {
    table: 'account',
    otherwise: 'whose compute is not the sum of that of their projects',
    countWrong: `SELECT count(*) FROM account WHERE abs(coalesce(cpu_used_total_sec, 0) -
      (SELECT coalesce(sum(cpu_used_total_sec), 0) FROM project WHERE project.account_ref = account.account_ref))
      > ${roundingSeconds}`,
  },
  ...meterMetrics.map(
    (metric): Invariant => ({
      table: 'metered_project',
      otherwise: `whose ${metric} is not the sum of that of their months`,
      countWrong: `SELECT count(*) FROM metered_project WHERE coalesce(${metric}, 0) <>
        (SELECT total(${metric}) FROM metered_month WHERE metered_month.metered_ref = metered_project.metered_ref)`,
    }),
  ),
  {
    table: 'operation_count',
    otherwise: 'of projects with more operations that ended than were counted',
    countWrong: `SELECT count(*) FROM (SELECT project_ref, count(*) AS ended FROM operation WHERE phase = 'ended'
      GROUP BY project_ref) AS operations WHERE ended >
      (SELECT coalesce(sum(count), 0) FROM operation_count WHERE operation_count.project_ref = operations.project_ref)`,
  },
];
