import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';

interface ActiveTime {
  readonly at: number;
  readonly sec: number;
}

/** A project as it was known before a list: its `active_time`, and when the list before was read to its end. */
interface KnownActiveTime {
  readonly sec: number | undefined;
  readonly listedAt: number | undefined;
}

/** In less time a project and its endpoints are not read closely enough to be compared. */
const shortestWindowMs = 6 * hourMs;

/**
 * Writes by how much `active_time` of projects grew, by windows of a day in which it never fell: the service sets it back
 * with each period. All calls happen inside the transaction of one reading.
 */
export function activeTimesOf(database: Database) {
  const sql = statementsOf(database);
  const readBegun = sql.one<[number], ActiveTime>`
    SELECT begun_at AS at, begun_sec AS sec FROM active_window WHERE project_ref = ?`;
  const writeBegin = sql.run<[number, number, number]>`
    INSERT INTO active_window (project_ref, begun_at, begun_sec) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET begun_at = excluded.begun_at, begun_sec = excluded.begun_sec`;
  const writeEnd = sql.run<[number, number, number]>`
    UPDATE active_window SET from_at = begun_at, until_at = ?, active_sec = ? - begun_sec
    WHERE project_ref = ?`;
  const known = new Map<number, ActiveTime>();

  function begin(project_ref: number, now: ActiveTime): void {
    writeBegin(project_ref, now.at, now.sec);
    known.set(project_ref, now);
  }

  function complete(project_ref: number, begun: ActiveTime, last: ActiveTime): void {
    if (last.at - begun.at >= shortestWindowMs) writeEnd(last.at, last.sec, project_ref);
  }

  return {
    /** Notes what a list that was served at `now.at` says of a project. */
    note(project_ref: number, now: ActiveTime, before: KnownActiveTime): void {
      const begun = known.get(project_ref) ?? readBegun(project_ref);
      if (begun === undefined || now.at < begun.at) {
        begin(project_ref, now);
        return;
      }
      const lastSec = before.sec ?? begun.sec;
      if (now.sec < lastSec) {
        const lastAt = Math.min(before.listedAt ?? begun.at, now.at);
        complete(project_ref, begun, { at: lastAt, sec: lastSec });
        begin(project_ref, now);
      } else if (Math.floor(now.at / dayMs) > Math.floor(begun.at / dayMs)) {
        complete(project_ref, begun, now);
        begin(project_ref, now);
      } else known.set(project_ref, begun);
    },
    /** Forgets which readings windows began with: the clock they are dated by was wrong. */
    forgetReadings: () => known.clear(),
  };
}
