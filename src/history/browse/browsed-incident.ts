import type { Database } from 'better-sqlite3';
import { dayMs } from '../../resources/duration.ts';
import { endedAt, isFailed, isTransition, ofProject as ofAccount, tookMs } from '../clause.ts';
import {
  anywhere,
  type BrowsedOperation,
  isMeantOperation,
  type OperationFilter,
  operationCause,
  operationJoins,
  operationRow,
  type Span,
} from './browsed-operation.ts';

/** How many operations of an endpoint, or of none, ended in a day, and how many of them failed. */
export interface DayOfOperations {
  /** Days since the beginning of the time that was asked for. */
  readonly day: number;
  readonly ended: number;
  readonly failed: number;
}

/** Operations that failed alike: of one action, in one region, and with the same words of the service. */
export interface FailureGroup {
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
}

interface Asked {
  readonly project_ref: number;
  /** Empty for operations of no endpoint. */
  readonly endpoint_id: string;
  readonly action: string;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Reads one operation with what happened before and after it, and failures by what they have in common. */
export class BrowsedIncidents {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  find(project_ref: number, operation_id: string): BrowsedOperation | undefined {
    return this.#statements.one.get({ project_ref, operation_id });
  }

  /** The newest operation of a project that failed; of any action where it is empty. */
  lastFailed(project_ref: number, action: string): BrowsedOperation | undefined {
    return this.#statements.lastFailed.get({ project_ref, action });
  }

  /** The oldest operation of a project that goes on. */
  oldestOpen(project_ref: number): BrowsedOperation | undefined {
    return this.#statements.oldestOpen.get({ project_ref });
  }

  /** Operations of one action and endpoint that were created in a stretch of time, by day; days without one are left out. */
  byDay(asked: Asked): readonly DayOfOperations[] {
    return this.#statements.byDay.all(asked);
  }

  /** How long half of the operations of one action and endpoint took at most that ended well; undefined where none did. */
  usualMs(asked: Asked): number | undefined {
    return this.#statements.usual.get(asked) ?? undefined;
  }

  /** Operations of a project that failed and were created in a stretch of time, the newest first. */
  failedOfProject(
    asked: Pick<Asked, 'project_ref' | 'fromAt' | 'untilAt'> & { readonly most: number },
  ): readonly BrowsedOperation[] {
    return this.#statements.failedOfProject.all(asked);
  }

  /** The newest operation of an endpoint in a stretch of time that is neither a start, a suspend nor a check. */
  lastChange(asked: Omit<Asked, 'action'>): BrowsedOperation | undefined {
    return this.#statements.lastChange.get(asked);
  }

  /** Operations that failed in a stretch of time, by what they have in common, the most frequent first. */
  alike(
    filter: OperationFilter,
    span: Span,
    { most, groups }: { readonly most: number; readonly groups: number },
  ): readonly FailureGroup[] {
    return this.#statements.alike.all({ ...anywhere, ...filter, ...span, most, groups });
  }

  /** Operations of an endpoint and action that failed and were created before an instant, the newest first. */
  failedOfEndpoint(
    asked: Omit<Asked, 'fromAt'> & { readonly most: number },
  ): readonly Pick<BrowsedOperation, 'created_at'>[] {
    return this.#statements.failedOfEndpoint.all(asked);
  }

  /** How many operations that were created after an instant ended well: of a project, and starts of one of its endpoints. */
  doneSince(asked: Pick<Asked, 'project_ref' | 'endpoint_id' | 'fromAt'>): DoneSince {
    return this.#statements.doneSince.get(asked) ?? { finished: 0, starts: 0, last_start_at: null };
  }

  /** When an endpoint was first awake from an instant on, as its states and its operations tell. */
  nextAwakeAt(endpoint_ref: number, fromAt: number): number | undefined {
    return this.#statements.nextAwake.get({ endpoint_ref, fromAt }) ?? undefined;
  }

  branchName(project_ref: number, branch_id: string): string | undefined {
    return this.#statements.branchName.get(project_ref, branch_id) ?? undefined;
  }
}

const isOfEndpoint = `coalesce(endpoint_id, '') = @endpoint_id`;
const isStart = `action = 'start_compute' AND ${isOfEndpoint}`;
const ofProject = `operation INDEXED BY operation_created ${operationJoins} WHERE operation.project_ref = @project_ref`;
const newest = 'ORDER BY operation.created_at DESC, operation_id DESC';
const inTime = 'operation.created_at >= @fromAt AND operation.created_at < @untilAt';

function prepare(database: Database) {
  type OfProject = Pick<Asked, 'project_ref'>;
  return {
    one: database.prepare<[OfProject & { readonly operation_id: string }], BrowsedOperation>(
      `SELECT ${operationRow} FROM operation ${operationJoins}
       WHERE operation.project_ref = @project_ref AND operation_id = @operation_id`,
    ),
    alike: database.prepare<
      [OperationFilter & Span & { readonly most: number; readonly groups: number }],
      FailureGroup
    >(
      `SELECT action, region_id, cause, count(*) AS failed, count(DISTINCT project_ref) AS projects,
         min(at) AS first_at, max(at) AS last_at
       FROM (SELECT action, project.region_id, ${operationCause} AS cause, operation.project_ref, ${endedAt} AS at
         FROM operation INDEXED BY operation_failed ${ofAccount}
         WHERE ${isFailed} AND ${endedAt} >= @fromAt AND ${endedAt} < @untilAt AND ${isMeantOperation}
         ORDER BY ${endedAt} DESC LIMIT @most)
       GROUP BY action, region_id, cause ORDER BY failed DESC, last_at DESC LIMIT @groups`,
    ),
    lastFailed: database.prepare<[OfProject & { readonly action: string }], BrowsedOperation>(
      `SELECT ${operationRow} FROM ${ofProject} AND ${isFailed} AND (@action = '' OR action = @action) ${newest} LIMIT 1`,
    ),
    oldestOpen: database.prepare<[OfProject], BrowsedOperation>(
      `SELECT ${operationRow} FROM operation INDEXED BY operation_open ${operationJoins}
       WHERE operation.project_ref = @project_ref AND phase = 'open'
       ORDER BY coalesce(operation.created_at, 0), operation_id LIMIT 1`,
    ),
    byDay: database.prepare<[Asked], DayOfOperations>(
      `SELECT CAST((operation.created_at - @fromAt) / ${dayMs} AS INTEGER) AS day,
         count(*) AS ended, sum(${isFailed}) AS failed
       FROM ${ofProject} AND ${inTime} AND phase = 'ended' AND action = @action AND ${isOfEndpoint}
       GROUP BY day ORDER BY day`,
    ),
    usual: database
      .prepare<[Asked], number | null>(
        `WITH done AS (SELECT ${tookMs} AS ms FROM ${ofProject} AND ${inTime} AND status = 'finished'
           AND action = @action AND ${isOfEndpoint} AND ${tookMs} IS NOT NULL)
         SELECT ms FROM done ORDER BY ms LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM done)`,
      )
      .pluck(),
    failedOfProject: database.prepare<
      [OfProject & Pick<Asked, 'fromAt' | 'untilAt'> & { readonly most: number }],
      BrowsedOperation
    >(`SELECT ${operationRow} FROM ${ofProject} AND ${inTime} AND ${isFailed} ${newest} LIMIT @most`),
    failedOfEndpoint: database.prepare<
      [Omit<Asked, 'fromAt'> & { readonly most: number }],
      Pick<BrowsedOperation, 'created_at'>
    >(
      `SELECT operation.created_at FROM ${ofProject} AND operation.created_at < @untilAt AND ${isFailed}
         AND action = @action AND ${isOfEndpoint} ${newest} LIMIT @most`,
    ),
    doneSince: database.prepare<[Pick<Asked, 'project_ref' | 'endpoint_id' | 'fromAt'>], DoneSince>(
      `SELECT count(*) AS finished, coalesce(sum(${isStart}), 0) AS starts,
         max(iif(${isStart}, ${endedAt}, NULL)) AS last_start_at
       FROM ${ofProject} AND operation.created_at > @fromAt AND status = 'finished'`,
    ),
    lastChange: database.prepare<[Omit<Asked, 'action'>], BrowsedOperation>(
      `SELECT ${operationRow} FROM ${ofProject} AND ${inTime} AND ${isOfEndpoint}
         AND action NOT IN ('start_compute', 'suspend_compute', 'check_availability') ${newest} LIMIT 1`,
    ),
    nextAwake: database
      .prepare<[{ readonly endpoint_ref: number; readonly fromAt: number }], number | null>(
        `SELECT min(at) FROM (
           SELECT * FROM (SELECT from_at AS at FROM state_interval
             WHERE endpoint_ref = @endpoint_ref AND from_at >= @fromAt AND state = 'active' ORDER BY from_at LIMIT 1)
           UNION ALL
           SELECT * FROM (SELECT updated_at FROM operation
             WHERE endpoint_ref = @endpoint_ref AND ${isTransition} AND action = 'start_compute' AND updated_at >= @fromAt
             ORDER BY updated_at LIMIT 1))`,
      )
      .pluck(),
    branchName: database
      .prepare<[number, string], string | null>(
        'SELECT branch_name FROM branch WHERE project_ref = ? AND branch_id = ?',
      )
      .pluck(),
  };
}
