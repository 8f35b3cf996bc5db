import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { AwakeDrift } from '../../resources/usage/view.ts';
import { ofProject } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { type AwakeStretch, boundAwake, doubtAwake } from '../ledger/ledger-doubt.ts';
import { KnownFindings, reconstructionsOf } from './ledger-comparison-query.ts';
import { hourOf } from './roll-up-query.ts';
import type { UsageQuery } from './usage-query.ts';

interface Window {
  readonly project_ref: number;
  readonly project_id: string;
  readonly fromAt: number;
  readonly untilAt: number;
  readonly activeSeconds: number;
}

interface EndpointRow {
  /** When its compute ledger begins; null while it has none. */
  readonly beginsAt: number | null;
  readonly createdAt: number | null;
  /** Null once it is gone. */
  readonly knownUntilAt: number | null;
}

interface StretchRow {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly lowerCu: number;
  readonly upperCu: number;
}

/** Older windows are none of the last day. */
const oldestMs = 2 * dayMs;
/** Endpoints that rest are read at least so often: what they did since is in doubt, and no more than this. */
const longestUnreadMs = hourMs;

/**
 * Compares how long the service says that projects of an account were awake with how long their endpoints were: projects whose
 * awake times are far apart, undefined while there is none to compare.
 */
export function awakeComparisonsOf(
  database: Database,
  usage: UsageQuery,
  known = new KnownFindings<readonly AwakeDrift[] | undefined>(),
) {
  const sql = statementsOf(database);
  const reconstructions = reconstructionsOf(database, usage);
  const listWindows = sql.all<[account: string, afterAt: number], Window>`
    SELECT project_ref, project_id, from_at AS fromAt, until_at AS untilAt, active_sec AS activeSeconds
    FROM active_window ${ofProject}
    WHERE account = ? AND until_at > ? AND gone_at IS NULL AND active_time IS NOT NULL
      AND endpoints_served_at IS NOT NULL`;
  const endpointsOf = sql.all<[project_ref: number, goneAfterAt: number], EndpointRow>`
    SELECT created_at AS createdAt, iif(gone_at IS NULL, ledger_until_at, NULL) AS knownUntilAt,
      (SELECT min(from_at) FROM compute_interval c WHERE c.endpoint_ref = endpoint.endpoint_ref) AS beginsAt
    FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL AND coalesce(gone_at > ?, TRUE)`;
  const stretchesOf = sql.all<[Window], StretchRow>`
    SELECT fromAt, untilAt, lowerCu, upperCu FROM (
      SELECT c.from_at AS fromAt, c.lower_cu AS lowerCu, c.upper_cu AS upperCu,
        lead(c.from_at, 1, iif(gone_at IS NULL, ledger_until_at, c.from_at))
          OVER (PARTITION BY endpoint_ref ORDER BY c.from_at) AS untilAt
      FROM endpoint JOIN compute_interval c USING (endpoint_ref)
      WHERE project_ref = @project_ref AND c.from_at >= coalesce((SELECT max(from_at) FROM compute_interval b
        WHERE b.endpoint_ref = endpoint.endpoint_ref AND b.from_at <= @fromAt), 0)
    ) WHERE fromAt < @untilAt AND untilAt > @fromAt`;
  /** None where the awake times agree, undefined where one is not known. */
  const compare = (account: string, window: Window): readonly AwakeDrift[] | undefined => {
    const { project_ref, project_id, fromAt, untilAt, activeSeconds } = window;
    const endpoints = endpointsOf(project_ref, fromAt);
    if (!endpoints.every(endpoint => isKnown(endpoint, window))) return undefined;
    const bounds = reconstructions.between(project_ref, fromAt, untilAt);
    const reported = usage.usedUntil(project_ref, untilAt) - usage.usedUntil(project_ref, fromAt);
    const stretches = stretchesOf(window).map(row => cutTo(row, window));
    const doubt = doubtAwake({
      active: activeSeconds * 1000,
      awake: boundAwake([...stretches, ...endpoints.flatMap(row => unreadOf(row, window))]),
      compute: bounds && { reported, bounds },
    });
    if (doubt === undefined) return [];
    return [{ account, project_id, likelyWrong: doubt.likelyWrong, driftSeconds: doubt.driftMs / 1000 }];
  };
  return (account: string): readonly AwakeDrift[] | undefined => {
    const knownUntilAt = usage.knownUntil(account);
    if (knownUntilAt === undefined) return undefined;
    const windows = listWindows(account, knownUntilAt - oldestMs);
    if (windows.length === 0) return undefined;
    const madeOf = [maxOf(windows.map(({ untilAt }) => untilAt)), hourOf(knownUntilAt), windows.length];
    return known.find(account, madeOf, () => {
      const compared = windows.map(window => compare(account, window));
      const isAny = compared.some(drifts => drifts !== undefined);
      return isAny ? compared.flatMap(drifts => drifts ?? []) : undefined;
    });
  };
}

function cutTo(row: StretchRow, window: Window): AwakeStretch {
  return {
    fromAt: Math.max(row.fromAt, window.fromAt),
    untilAt: Math.min(row.untilAt, window.untilAt),
    isSure: row.lowerCu > 0,
    isPossible: row.upperCu > 0,
  };
}

function isKnown({ beginsAt, createdAt, knownUntilAt }: EndpointRow, { fromAt, untilAt }: Window): boolean {
  return (
    beginsAt !== null &&
    beginsAt <= Math.max(fromAt, createdAt ?? fromAt) &&
    untilAt - (knownUntilAt ?? untilAt) <= longestUnreadMs
  );
}

/** The end of a window, of an endpoint that was last read before it. */
function unreadOf({ knownUntilAt }: EndpointRow, { fromAt, untilAt }: Window): readonly AwakeStretch[] {
  if (knownUntilAt === null || knownUntilAt >= untilAt) return [];
  return [{ fromAt: Math.max(knownUntilAt, fromAt), untilAt, isSure: false, isPossible: true }];
}
