import type { Database } from 'better-sqlite3';
import { type BegunAnewList, isAnyLost, isLost, isRebuilt } from './begun-anew.ts';

const rebuilt = isRebuilt('endpoint', 'endpoint.endpoint_ref');

/**
 * Goes on with the ledgers of endpoints where that is possible. Time that was counted is not counted again: a ledger made
 * again goes on from the latest instant that is known.
 *
 * @param latestAt that instant.
 */
export function repairLedgers(database: Database, anew: BegunAnewList, latestAt: number): void {
  reopenLedgers(database, latestAt);
  const lost = isLost('state_duration', 'endpoint.endpoint_ref');
  const areIntervalsWhole = `NOT ${isLost('state_interval', 'endpoint.endpoint_ref')} AND NOT ${rebuilt}
    AND NOT ${isAnyLost('retention')} AND NOT EXISTS (SELECT 1 FROM retention WHERE kind = 'samples')`;
  database.exec(`
    INSERT OR IGNORE INTO state_duration
    SELECT endpoint_ref, state, sum(until_at - from_at) FROM (
      SELECT endpoint_ref, state, from_at,
        lead(from_at, 1, ledger_until_at) OVER (PARTITION BY endpoint_ref ORDER BY from_at) AS until_at
      FROM state_interval JOIN endpoint USING (endpoint_ref) WHERE ${lost} AND ${areIntervalsWhole})
    WHERE until_at > from_at GROUP BY 1, 2`);
  anew.addProjects(
    'dbpm_endpoint_state_seconds_total',
    `EXISTS (SELECT 1 FROM endpoint WHERE endpoint.project_ref = project.project_ref
       AND ((ledger_until_at IS NOT NULL AND ${lost} AND NOT (${areIntervalsWhole})) OR (${rebuilt} AND ledger_until_at IS NULL)))
     OR project_ref IN (SELECT project_ref FROM unlinked)`,
  );
  closeStateGaps(database);
  closeComputeGaps(database);
}

/** An endpoint of which there are states was in a list, which later ones may leave out. */
function reopenLedgers(database: Database, latestAt: number): void {
  const last = (
    column: string,
  ) => `(SELECT ${column} FROM state_interval AS i WHERE i.endpoint_ref = endpoint.endpoint_ref
    ORDER BY from_at DESC LIMIT 1)`;
  const known = isLost('state_interval', 'endpoint.endpoint_ref');
  database
    .prepare<[number, number, number, number, number]>(
      `UPDATE endpoint SET first_seen_at = ?,
         ledger_state = iif(${known}, 'idle', coalesce(${last('state')}, 'idle')),
         ledger_since_at = max(iif(${known}, ?, coalesce(${last('from_at')}, ?)), 0),
         ledger_until_at = max(?, coalesce(${last('from_at')}, ?))
       WHERE ${rebuilt} AND (EXISTS (SELECT 1 FROM state_interval AS i WHERE i.endpoint_ref = endpoint.endpoint_ref)
         OR EXISTS (SELECT 1 FROM state_duration AS d WHERE d.endpoint_ref = endpoint.endpoint_ref))`,
    )
    .run(latestAt, latestAt, latestAt, latestAt, latestAt);
  database.exec(`DELETE FROM state_interval WHERE EXISTS (SELECT 1 FROM endpoint
    WHERE endpoint.endpoint_ref = state_interval.endpoint_ref AND (ledger_until_at IS NULL OR from_at > ledger_until_at))`);
}

/** In which state an endpoint was meanwhile is not known, but since when it is in that of now. */
function closeStateGaps(database: Database): void {
  database.exec(`
    INSERT OR IGNORE INTO state_interval
    SELECT endpoint_ref, after_at + 1, 'unknown' FROM lost JOIN endpoint ON endpoint_ref = first_ref
    WHERE tbl = 'state_interval' AND after_at IS NOT NULL AND after_at < ledger_since_at;
    INSERT OR IGNORE INTO state_interval
    SELECT endpoint_ref, ledger_since_at, ledger_state FROM endpoint
    WHERE ledger_since_at IS NOT NULL AND ledger_since_at <= ledger_until_at AND ledger_state IS NOT NULL
      AND ${isLost('state_interval', 'endpoint.endpoint_ref')}`);
}

/**
 * Between two totals what was used is taken to have been used evenly. Behind the last one it was nothing at least, and at most
 * what the endpoint could use. What was used before the first one was used before the endpoint was known.
 */
function closeComputeGaps(database: Database): void {
  database.exec(`
    UPDATE compute_interval SET
      lower_cu = (behind.lower_total - compute_interval.lower_total) / (behind.from_at - compute_interval.from_at),
      upper_cu = (behind.upper_total - compute_interval.upper_total) / (behind.from_at - compute_interval.from_at)
    FROM lost JOIN compute_interval AS behind ON behind.endpoint_ref = first_ref AND behind.from_at =
      (SELECT min(from_at) FROM compute_interval AS c WHERE c.endpoint_ref = first_ref AND c.from_at > after_at)
    WHERE tbl = 'compute_interval' AND compute_interval.endpoint_ref = first_ref AND compute_interval.from_at = after_at;
    INSERT OR IGNORE INTO compute_interval
    SELECT endpoint_ref, from_at + 1, 0, max(upper_cu, coalesce(ledger_max_cu, 0)), lower_total + lower_cu, upper_total + upper_cu
    FROM lost JOIN compute_interval ON endpoint_ref = first_ref AND from_at = after_at JOIN endpoint USING (endpoint_ref)
    WHERE tbl = 'compute_interval' AND from_at < ledger_until_at AND NOT EXISTS (
      SELECT 1 FROM compute_interval AS c WHERE c.endpoint_ref = first_ref AND c.from_at > after_at);
    INSERT OR IGNORE INTO compute_interval
    SELECT endpoint_ref, min(from_at) - 1, 0, 0, lower_total, upper_total
    FROM compute_interval WHERE ${isLost('compute_interval', 'endpoint_ref')}
    GROUP BY endpoint_ref HAVING upper_total > 0`);
}
