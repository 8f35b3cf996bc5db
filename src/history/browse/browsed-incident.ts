import type { Database } from 'better-sqlite3';
import { dayMs, type Span } from '../../resources/duration.ts';
import { endedAt, isFailed, isTransition, ofProject as ofAccount, tookMs } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import { type KnownOperation, operationJoins, operationRow } from '../usage/operation-query.ts';
import { anything, isMeantOperation, type OperationFilter, operationCause } from './browsed-operation.ts';

/** How many operations of an endpoint, or of none, ended in a day, and how many of them failed. */
interface DayOfOperations {
  /** Days since the beginning of the time that was asked for. */
  readonly day: number;
  readonly ended: number;
  readonly failed: number;
}

/** Operations that failed alike: of one action, in one region, and with the same words of the service. */
interface FailureGroup {
  readonly action: string;
  readonly region_id: string | null;
  /** The first of the service's words, or `none`. */
  readonly cause: string;
  readonly failed: number;
  readonly projects: number;
  readonly first_at: number;
  readonly last_at: number;
}

/** Operations that ended well. */
interface DoneSince {
  readonly finished: number;
  /** The ones that started the endpoint. */
  readonly starts: number;
  readonly last_start_at: number | null;
  /** The ones of the same action and endpoint. */
  readonly alike: number;
  readonly last_alike_at: number | null;
  /** The ones that changed settings: of the endpoint, or of the project where none is asked for. */
  readonly settings: number;
}

interface Asked {
  readonly project_ref: number;
  /** Empty for operations of no endpoint. */
  readonly endpoint_id: string;
  readonly action: string;
  readonly fromAt: number;
  readonly untilAt: number;
}

const isOfEndpoint = `coalesce(endpoint_id, '') = @endpoint_id`;
const isStart = `action = 'start_compute' AND ${isOfEndpoint}`;
const ofProject = `operation INDEXED BY operation_created ${operationJoins} WHERE operation.project_ref = @project_ref`;
const newest = 'ORDER BY operation.created_at DESC, operation_id DESC';
const inTime = 'operation.created_at >= @fromAt AND operation.created_at < @untilAt';

const isAlike = `action = @action AND ${isOfEndpoint}`;
const isSettings = `action = 'apply_config' AND (@endpoint_id = '' OR ${isOfEndpoint})`;

type Since = Pick<Asked, 'project_ref' | 'endpoint_id' | 'action' | 'fromAt'>;
type FailedOfProject = Pick<Asked, 'project_ref' | 'fromAt' | 'untilAt'> & { readonly most: number };
type Most = Readonly<Record<'most' | 'groups', number>>;

/** Reads one operation with what happened before and after it, and failures by what they have in common. */
export function browsedIncidents(database: Database) {
  const sql = statementsOf(database);
  const alike = sql.all<[Required<OperationFilter> & Span & Most], FailureGroup>`
    SELECT action, region_id, cause, count(*) AS failed, count(DISTINCT project_ref) AS projects,
      min(at) AS first_at, max(at) AS last_at
    FROM (SELECT action, project.region_id, ${operationCause} AS cause, operation.project_ref, ${endedAt} AS at
      FROM operation INDEXED BY operation_failed ${ofAccount}
      WHERE ${isFailed} AND ${endedAt} >= @fromAt AND ${endedAt} < @untilAt AND ${isMeantOperation}
      ORDER BY ${endedAt} DESC LIMIT @most)
    GROUP BY action, region_id, cause ORDER BY failed DESC, last_at DESC LIMIT @groups`;
  const lastFailed = sql.one<[Pick<Asked, 'project_ref' | 'action'>], KnownOperation>`
    SELECT ${operationRow} FROM ${ofProject} AND ${isFailed} AND (@action = '' OR action = @action) ${newest} LIMIT 1`;
  const doneSince = sql.one<[Since], DoneSince>`
    SELECT count(*) AS finished, coalesce(sum(${isStart}), 0) AS starts,
      max(iif(${isStart}, ${endedAt}, NULL)) AS last_start_at,
      coalesce(sum(${isAlike}), 0) AS alike, max(iif(${isAlike}, ${endedAt}, NULL)) AS last_alike_at,
      coalesce(sum(${isSettings}), 0) AS settings
    FROM ${ofProject} AND operation.created_at > @fromAt AND status = 'finished'`;
  const nextAwakeAt = sql.value<[Readonly<Record<'endpoint_ref' | 'fromAt', number>>], number>`
    SELECT min(at) FROM (
      SELECT * FROM (SELECT from_at AS at FROM state_interval
        WHERE endpoint_ref = @endpoint_ref AND from_at >= @fromAt AND state = 'active' ORDER BY from_at LIMIT 1)
      UNION ALL
      SELECT * FROM (SELECT updated_at FROM operation
        WHERE endpoint_ref = @endpoint_ref AND ${isTransition} AND action = 'start_compute' AND updated_at >= @fromAt
        ORDER BY updated_at LIMIT 1))`;
  return {
    find: sql.one<[project_ref: number, operation_id: string], KnownOperation>`
      SELECT ${operationRow} FROM operation ${operationJoins}
      WHERE operation.project_ref = ? AND operation_id = ?`,
    /** The newest operation of a project that failed; of any action where it is empty. */
    lastFailed: (project_ref: number, action: string) => lastFailed({ project_ref, action }),
    /** The oldest operation of a project that goes on. */
    oldestOpen: sql.one<[project_ref: number], KnownOperation>`
      SELECT ${operationRow} FROM operation INDEXED BY operation_open ${operationJoins}
      WHERE operation.project_ref = ? AND phase = 'open'
      ORDER BY coalesce(operation.created_at, 0), operation_id LIMIT 1`,
    /** Operations of one action and endpoint that were created in a stretch of time, by day; days without one are left out. */
    byDay: sql.all<[Asked], DayOfOperations>`
      SELECT CAST((operation.created_at - @fromAt) / ${dayMs} AS INTEGER) AS day,
        count(*) AS ended, sum(${isFailed}) AS failed
      FROM ${ofProject} AND ${inTime} AND phase = 'ended' AND action = @action AND ${isOfEndpoint}
      GROUP BY day ORDER BY day`,
    /** How long half of the operations of one action and endpoint took at most that ended well; undefined where none did. */
    usualMs: sql.value<[Asked], number>`
      WITH done AS (SELECT ${tookMs} AS ms FROM ${ofProject} AND ${inTime} AND status = 'finished'
        AND action = @action AND ${isOfEndpoint} AND ${tookMs} IS NOT NULL)
      SELECT ms FROM done ORDER BY ms LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM done)`,
    /** Operations of a project that failed and were created in a stretch of time, the newest first. */
    failedOfProject: sql.all<[FailedOfProject], KnownOperation>`
      SELECT ${operationRow} FROM ${ofProject} AND ${inTime} AND ${isFailed} ${newest} LIMIT @most`,
    /** Operations of an endpoint and action that failed and were created before an instant, the newest first. */
    failedOfEndpoint: sql.all<
      [Omit<Asked, 'fromAt'> & { readonly most: number }],
      Pick<KnownOperation, 'created_at'>
    >`
      SELECT operation.created_at FROM ${ofProject} AND operation.created_at < @untilAt AND ${isFailed}
        AND action = @action AND ${isOfEndpoint} ${newest} LIMIT @most`,
    /** How many operations of a project that were created after an instant ended well. */
    doneSince: (asked: Since): DoneSince =>
      doneSince(asked) ?? {
        ...{ finished: 0, starts: 0, last_start_at: null },
        ...{ alike: 0, last_alike_at: null, settings: 0 },
      },
    /** The newest operation of an endpoint in a stretch of time that is neither a start, a suspend nor a check. */
    lastChange: sql.one<[Omit<Asked, 'action'>], KnownOperation>`
      SELECT ${operationRow} FROM ${ofProject} AND ${inTime} AND ${isOfEndpoint}
        AND action NOT IN ('start_compute', 'suspend_compute', 'check_availability') ${newest} LIMIT 1`,
    /** Operations that failed in a stretch of time, by what they have in common, the most frequent first. */
    alike: (filter: OperationFilter, span: Span, most: Most): readonly FailureGroup[] =>
      alike({ ...anything, ...filter, ...span, ...most }),
    /** When an endpoint was first awake from an instant on, as its states and its operations tell. */
    nextAwakeAt: (endpoint_ref: number, fromAt: number) => nextAwakeAt({ endpoint_ref, fromAt }),
    branchName: sql.value<[project_ref: number, branch_id: string], string>`
      SELECT branch_name FROM branch WHERE project_ref = ? AND branch_id = ?`,
  };
}
