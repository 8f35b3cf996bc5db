import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { AwakeDrift } from '../../resources/usage/view.ts';
import { ofProject } from '../clause.ts';
import { type AwakeStretch, boundAwake, doubtAwake } from '../ledger/ledger-doubt.ts';
import type { ReconstructionQuery } from './ledger-comparison-query.ts';
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

/** Drifts by account, each with what they were made of: it is work over every project. */
export type KnownAwakeDrifts = Map<
  string,
  { readonly madeOf: string; readonly found: readonly AwakeDrift[] | undefined }
>;

/** Older windows are none of the last day. */
const oldestMs = 2 * dayMs;
/** Endpoints that rest are read at least so often: what they did since is in doubt, and no more than this. */
const longestUnreadMs = hourMs;

/** Compares how long the service says that projects were awake with how long their endpoints were. */
export class AwakeComparisonQuery {
  readonly #usage: UsageQuery;
  readonly #reconstructions: ReconstructionQuery;
  readonly #known: KnownAwakeDrifts;
  readonly #statements;

  /** @param known drifts of earlier looks; it is kept up to date. */
  constructor(
    database: Database,
    usage: UsageQuery,
    reconstructions: ReconstructionQuery,
    known: KnownAwakeDrifts = new Map(),
  ) {
    this.#usage = usage;
    this.#reconstructions = reconstructions;
    this.#known = known;
    this.#statements = prepare(database);
  }

  /** Projects whose awake times are far apart; undefined while there is none to compare. */
  read(account: string): readonly AwakeDrift[] | undefined {
    const knownUntilAt = this.#usage.knownUntil(account);
    if (knownUntilAt === undefined) return undefined;
    const windows = this.#statements.windows.all(account, knownUntilAt - oldestMs);
    if (windows.length === 0) return undefined;
    const latestAt = windows.reduce((latest, { untilAt }) => Math.max(latest, untilAt), 0);
    const madeOf = [latestAt, hourOf(knownUntilAt), windows.length].join(' ');
    const known = this.#known.get(account);
    if (known?.madeOf === madeOf) return known.found;
    const compared = windows.map(window => this.#compare(account, window));
    const isAny = compared.some(drifts => drifts !== undefined);
    const found = isAny ? compared.flatMap(drifts => drifts ?? []) : undefined;
    this.#known.set(account, { madeOf, found });
    return found;
  }

  /** None where the awake times agree, undefined where one is not known. */
  #compare(account: string, window: Window): readonly AwakeDrift[] | undefined {
    const { project_ref, project_id, fromAt, untilAt, activeSeconds } = window;
    const endpoints = this.#statements.endpoints.all(project_ref, fromAt);
    if (!endpoints.every(endpoint => isKnown(endpoint, window))) return undefined;
    const bounds = this.#reconstructions.between(project_ref, fromAt, untilAt);
    const reported = this.#usage.usedUntil(project_ref, untilAt) - this.#usage.usedUntil(project_ref, fromAt);
    const doubt = doubtAwake({
      active: activeSeconds * 1000,
      awake: boundAwake([...this.#stretches(window), ...endpoints.flatMap(row => unreadOf(row, window))]),
      compute: bounds && { reported, bounds },
    });
    if (doubt === undefined) return [];
    return [{ account, project_id, likelyWrong: doubt.likelyWrong, driftSeconds: doubt.driftMs / 1000 }];
  }

  #stretches(window: Window): readonly AwakeStretch[] {
    return this.#statements.stretches.all(window).map(row => ({
      fromAt: Math.max(row.fromAt, window.fromAt),
      untilAt: Math.min(row.untilAt, window.untilAt),
      isSure: row.lowerCu > 0,
      isPossible: row.upperCu > 0,
    }));
  }
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

function prepare(database: Database) {
  return {
    windows: database.prepare<[string, number], Window>(
      `SELECT project_ref, project_id, from_at AS fromAt, until_at AS untilAt, active_sec AS activeSeconds
       FROM active_window ${ofProject}
       WHERE account = ? AND until_at > ? AND gone_at IS NULL AND active_time IS NOT NULL
         AND endpoints_served_at IS NOT NULL`,
    ),
    endpoints: database.prepare<[number, number], EndpointRow>(
      `SELECT created_at AS createdAt, iif(gone_at IS NULL, ledger_until_at, NULL) AS knownUntilAt,
         (SELECT min(from_at) FROM compute_interval c WHERE c.endpoint_ref = endpoint.endpoint_ref) AS beginsAt
       FROM endpoint WHERE project_ref = ? AND first_seen_at IS NOT NULL AND coalesce(gone_at > ?, TRUE)`,
    ),
    stretches: database.prepare<[Window], StretchRow>(
      `SELECT fromAt, untilAt, lowerCu, upperCu FROM (
         SELECT c.from_at AS fromAt, c.lower_cu AS lowerCu, c.upper_cu AS upperCu,
           lead(c.from_at, 1, iif(gone_at IS NULL, ledger_until_at, c.from_at))
             OVER (PARTITION BY endpoint_ref ORDER BY c.from_at) AS untilAt
         FROM endpoint JOIN compute_interval c USING (endpoint_ref)
         WHERE project_ref = @project_ref AND c.from_at >= coalesce((SELECT max(from_at) FROM compute_interval b
           WHERE b.endpoint_ref = endpoint.endpoint_ref AND b.from_at <= @fromAt), 0)
       ) WHERE fromAt < @untilAt AND untilAt > @fromAt`,
    ),
  };
}
