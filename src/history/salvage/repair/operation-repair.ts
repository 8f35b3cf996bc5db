import type { Database } from 'better-sqlite3';
import { minuteMs } from '../../../resources/duration.ts';
import { mostWords } from '../../record/word-register.ts';
import { type BegunAnewList, isAnyLost, isLost, isRebuilt } from './begun-anew.ts';

const operationsLost = isLost('operation', 'project.project_ref');

/** Ended operations are counted once more from the rows that are left; each of them was counted once. */
const recounts = [
  'DELETE FROM operation_count WHERE project_ref IN (SELECT project_ref FROM recounted)',
  `INSERT INTO operation_count
   SELECT project_ref, coalesce(a.word, 'other'), coalesce(s.word, 'other'), count(*),
     max(coalesce(o.updated_at, o.created_at, project.first_seen_at))
   FROM operation AS o JOIN recounted USING (project_ref) JOIN project USING (project_ref)
   LEFT JOIN word AS a ON a.account_ref = project.account_ref AND a.kind = 'action' AND a.word = o.action
   LEFT JOIN word AS s ON s.account_ref = project.account_ref AND s.kind = 'status' AND s.word = o.status
   WHERE phase = 'ended' GROUP BY 1, 2, 3`,
];

/** Growth is counted from what the row of an operation says. */
const attemptRecounts = [
  'DELETE FROM attempt_failure_count WHERE project_ref IN (SELECT project_ref FROM recounted)',
  `INSERT INTO attempt_failure_count
   SELECT project_ref, coalesce(a.word, 'other'), sum(failures_count)
   FROM operation AS o JOIN recounted USING (project_ref) JOIN project USING (project_ref)
   LEFT JOIN word AS a ON a.account_ref = project.account_ref AND a.kind = 'action' AND a.word = o.action
   WHERE failures_count > 0 GROUP BY 1, 2`,
];

/**
 * Has operations counted once. Where rows of them are lost, those that ended by now are not counted again, as if they had been
 * pruned: the counters go on. Where it is lost how far a project's operations were read, all that the service still tells
 * of are read again, and the counters begin with the rows that are left.
 *
 * @param latestAt the latest instant that is known.
 */
export function repairOperations(database: Database, anew: BegunAnewList, latestAt: number): void {
  database.exec(`
    CREATE TEMP TABLE reimported AS SELECT project_ref FROM project
      WHERE ${isRebuilt('project', 'project_ref')} OR (operations_tail_cursor IS NOT NULL AND ${operationsLost});
    CREATE TEMP TABLE recounted (project_ref INTEGER PRIMARY KEY)`);
  const reimported = 'project.project_ref IN (SELECT project_ref FROM reimported)';
  readmitWords(database);
  unlinkLostEndpoints(database);
  database.exec(`
    DELETE FROM operation WHERE project_ref IN (SELECT project_ref FROM reimported)
      AND project_ref IN (SELECT project_ref FROM unlinked);
    UPDATE project SET operations_head_at = NULL, operations_tail_cursor = NULL, born_watched = 0 WHERE ${reimported}`);
  recountOperations(database, anew, reimported);
  recountAttempts(database, anew, reimported);
  recountTransitions(database, anew, reimported);
  const areDurationsLost = `${isLost('operation_duration', 'account.account_ref')} OR account_ref IN
    (SELECT account_ref FROM project WHERE ${reimported})`;
  anew.addAccounts('dbpm_operation_duration_seconds', areDurationsLost);
  database.exec(
    `DELETE FROM operation_duration WHERE account_ref IN (SELECT account_ref FROM account WHERE ${areDurationsLost})`,
  );
  forgetLostOperations(database, latestAt);
}

/** Words that were admitted are labels of counters, or would be; of operations all are where they are not too many. */
function readmitWords(database: Database): void {
  if (database.prepare(`SELECT 1 WHERE ${isAnyLost('word')}`).get() === undefined) return;
  database.exec(`
    INSERT OR IGNORE INTO word
      SELECT account_ref, 'action', action FROM operation_count JOIN project USING (project_ref) WHERE action <> 'other'
      UNION SELECT account_ref, 'status', status FROM operation_count JOIN project USING (project_ref) WHERE status <> 'other'
      UNION SELECT account_ref, 'state', state FROM state_duration JOIN endpoint USING (endpoint_ref)
        JOIN project USING (project_ref) WHERE state <> 'other'`);
  for (const kind of ['action', 'status']) {
    const words = `SELECT DISTINCT account_ref, ${kind} AS word FROM operation JOIN project USING (project_ref)
      WHERE phase = 'ended'`;
    database.exec(`INSERT OR IGNORE INTO word SELECT account_ref, '${kind}', word FROM (${words}) AS found
      WHERE ${mostWords} >= (SELECT count(*) FROM (${words}) AS each WHERE each.account_ref = found.account_ref)`);
  }
}

/**
 * Endpoints made again from an index whose states nobody knows get a new ledger, from the beginning: that takes all
 * operations of their project, or none.
 */
function unlinkLostEndpoints(database: Database): void {
  database.exec(`
    INSERT OR IGNORE INTO unlinked SELECT project_ref FROM endpoint JOIN project USING (project_ref)
    WHERE ${isRebuilt('endpoint', 'endpoint_ref')} AND ledger_until_at IS NULL
      AND (${operationsLost} OR EXISTS (SELECT 1 FROM retention WHERE kind = 'operations') OR ${isAnyLost('retention')})`);
}

function recountOperations(database: Database, anew: BegunAnewList, reimported: string): void {
  database.exec(`
    INSERT INTO recounted SELECT project_ref FROM project
    WHERE ${reimported} OR ${isLost('operation_count', 'project_ref')}
      OR (SELECT count(*) FROM operation AS o WHERE o.project_ref = project.project_ref AND phase = 'ended') >
        (SELECT coalesce(sum(count), 0) FROM operation_count AS c WHERE c.project_ref = project.project_ref)`);
  for (const sql of recounts) database.exec(sql);
  const areAllThere = `operations_head_at IS NOT NULL AND operations_tail_cursor IS NULL AND NOT ${operationsLost}
    AND NOT EXISTS (SELECT 1 FROM retention WHERE kind = 'operations') AND NOT ${isAnyLost('retention')}
    AND NOT ${isAnyLost('word')}`;
  anew.addProjects(
    'dbpm_operations_total',
    `project_ref IN (SELECT project_ref FROM recounted) AND NOT (${areAllThere})`,
  );
}

/** A lost operation that had not ended would have its failures counted again. */
function recountAttempts(database: Database, anew: BegunAnewList, reimported: string): void {
  database.exec(`DELETE FROM recounted;
    INSERT INTO recounted SELECT project_ref FROM project
    WHERE ${reimported} OR ${isLost('attempt_failure_count', 'project_ref')} OR ${operationsLost}`);
  anew.addProjects(
    'dbpm_operation_attempt_failures_total',
    `project_ref IN (SELECT project_ref FROM recounted) AND (${operationsLost} OR ${reimported}
       OR EXISTS (SELECT 1 FROM retention WHERE kind = 'operations') OR ${isAnyLost('retention')})`,
  );
  for (const sql of attemptRecounts) database.exec(sql);
}

function recountTransitions(database: Database, anew: BegunAnewList, reimported: string): void {
  const isCounted = `${isRebuilt('endpoint', 'endpoint_ref')} OR project_ref IN (SELECT project_ref FROM reimported)`;
  const count = (
    action: string,
  ) => `(SELECT count(*) FROM operation AS o WHERE o.endpoint_ref = endpoint.endpoint_ref
    AND o.project_ref = endpoint.project_ref AND phase = 'ended' AND status = 'finished' AND action = '${action}')`;
  database.exec(`UPDATE endpoint SET starts = ${count('start_compute')}, suspends = ${count('suspend_compute')}
    WHERE ${isCounted}`);
  for (const metric of ['dbpm_endpoint_starts_total', 'dbpm_endpoint_suspends_total']) {
    anew.addProjects(
      metric,
      `${reimported} OR EXISTS (SELECT 1 FROM endpoint WHERE endpoint.project_ref = project.project_ref
         AND ${isRebuilt('endpoint', 'endpoint_ref')}) OR project_ref IN (SELECT project_ref FROM unlinked)`,
    );
  }
}

/** How far after the last reading the service may have dated what it told with it. */
const slackMs = minuteMs;

function forgetLostOperations(database: Database, latestAt: number): void {
  database.exec(`DELETE FROM operation WHERE phase = 'ended' AND project_ref IN (SELECT project_ref FROM unlinked)
    AND project_ref NOT IN (SELECT project_ref FROM reimported)`);
  database
    .prepare<[number]>(
      `INSERT INTO retention SELECT 'operations', ? WHERE ${isAnyLost('operation')} OR ${isAnyLost('retention')}
         OR EXISTS (SELECT 1 FROM unlinked)
       ON CONFLICT DO UPDATE SET kept_from_at = max(kept_from_at, excluded.kept_from_at)`,
    )
    .run(latestAt + slackMs);
}
