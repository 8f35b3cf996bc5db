import type { Database } from 'better-sqlite3';
import { dayMs, type Span } from '../../resources/duration.ts';
import { endedAt, isFailed, ofProject } from '../clause.ts';
import { statementsOf } from '../file/statement.ts';
import {
  type KnownOperation,
  knownOperation,
  operationJoins,
  operationRow,
} from '../usage/operation-query.ts';

/** An operation as a mark on an axis: when it ended, or else was created. */
type OperationMark = readonly [at: number, endpoint_id: string | null, action: string, operation_id: string];

/** Conditions on operations; an absent or empty one matches all. */
export interface OperationFilter {
  readonly account?: string;
  readonly project_id?: string;
  /** A part of the name or the id of a project. */
  readonly project_part?: string;
  readonly action?: string;
  readonly region?: string;
  /** As `FailureGroup` has it. */
  readonly cause?: string;
}

/** Where a list goes on: after the operation with this instant, project and id. */
export interface OperationKey {
  readonly at: number;
  readonly project_ref: number;
  readonly operation_id: string;
}

/** The part of a list that is wanted. */
interface Portion {
  readonly after?: OperationKey | undefined;
  readonly most: number;
}

/** How many operations go on, and how many of them are stuck. */
interface OpenCount {
  readonly open: number;
  readonly stuck: number;
}

/** How many operations of a project failed. */
interface ProjectFailures {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly failures: number;
}

/** One that succeeds after longer is not looked for: an index has operations by when they were created. */
const longestUsualMs = dayMs;

const begunAt = 'coalesce(operation.created_at, 0)';
/** The first of the service's words: what stands behind them, such as an id, does not tell failures apart. */
export const operationCause = "coalesce(substr(error, 1, 120), 'none')";
export const anything = { account: '', project_id: '', project_part: '', action: '', region: '', cause: '' };
/** SQL that is true for a project with a part in its name or id; small and capital letters are the same. */
export const isNamedLike = (part: string) =>
  `(instr(lower(project_id), lower(${part})) > 0 OR instr(lower(project_name), lower(${part})) > 0)`;
/** As an `OperationFilter` says. */
export const isMeantOperation = `(@account = '' OR account = @account) AND (@project_id = '' OR project_id = @project_id)
  AND (@project_part = '' OR ${isNamedLike('@project_part')})
  AND (@action = '' OR action = @action) AND (@region = '' OR project.region_id = @region)
  AND (@cause = '' OR ${operationCause} = @cause)`;
const isOpen = `phase = 'open' AND project.gone_at IS NULL`;

/** Reads operations: failed ones, ones that go on, and all of a project. */
export function browsedOperations(database: Database) {
  const sql = statementsOf(database);
  type Filter = Required<OperationFilter>;
  type Key = OperationKey & { readonly most: number };
  const isOfTime = `${isFailed} AND ${endedAt} >= @fromAt AND ${endedAt} < @untilAt`;
  const prepareFailed = (row: string) => sql.all<[Filter & Span & Key], KnownOperation>`
    SELECT ${row} FROM operation INDEXED BY operation_failed ${operationJoins}
    WHERE ${isOfTime} AND ${endedAt} <= @at AND ${isMeantOperation}
      AND (${endedAt} < @at OR (operation.project_ref, operation_id) < (@project_ref, @operation_id))
    ORDER BY ${endedAt} DESC, operation.project_ref DESC, operation_id DESC LIMIT @most`;
  const failed = prepareFailed(operationRow);
  const failedBriefly = prepareFailed(`${knownOperation}, NULL AS worked_at`);
  const countFailed = sql.value<[Filter & Span & { readonly most: number }], number>`
    SELECT count(*) FROM (SELECT 1 FROM operation INDEXED BY operation_failed ${ofProject}
    WHERE ${isOfTime} AND ${isMeantOperation} LIMIT @most)`;
  const countEnded = sql.value<[Filter & Span & { readonly most: number }], number>`
    SELECT count(*) FROM (SELECT 1 FROM operation ${ofProject}
    WHERE phase = 'ended' AND ${endedAt} >= @fromAt AND ${endedAt} < @untilAt AND ${isMeantOperation} LIMIT @most)`;
  const open = sql.all<[Filter & Key & { readonly longerThanMs: number }], KnownOperation>`
    SELECT ${operationRow} FROM operation INDEXED BY operation_open ${operationJoins}
    WHERE ${isOpen} AND ${isMeantOperation}
      AND (${begunAt}, operation.project_ref, operation_id) > (@at, @project_ref, @operation_id)
      AND (@longerThanMs = 0 OR last_refresh_at - operation.created_at > @longerThanMs)
    ORDER BY ${begunAt}, operation.project_ref, operation_id LIMIT @most`;
  const countOpen = sql.one<[Filter & { readonly stuckMs: number }], OpenCount>`
    SELECT count(*) AS open, coalesce(sum(last_refresh_at - operation.created_at > @stuckMs), 0) AS stuck
    FROM operation INDEXED BY operation_open ${ofProject}
    WHERE ${isOpen} AND ${isMeantOperation}`;
  const ofProjectIn = sql.all<[Span & Key & { readonly action: string }], KnownOperation>`
    SELECT ${operationRow} FROM operation INDEXED BY operation_created ${operationJoins}
    WHERE operation.project_ref = @project_ref AND operation.created_at >= @fromAt
      AND operation.created_at < @untilAt AND operation.created_at <= @at
      AND (operation.created_at < @at OR operation_id < @operation_id) AND (@action = '' OR action = @action)
    ORDER BY operation.created_at DESC, operation_id DESC LIMIT @most`;
  type Marked = Span & Readonly<Record<'project_ref' | 'createdFromAt' | 'most', number>>;
  const marks = sql.eachTuple<[Marked], OperationMark>`
    SELECT iif(phase = 'ended', ${endedAt}, operation.created_at) AS at, endpoint_id, action, operation_id
    FROM operation INDEXED BY operation_created LEFT JOIN endpoint USING (endpoint_ref)
    WHERE operation.project_ref = @project_ref AND operation.created_at >= @createdFromAt
      AND operation.created_at < @untilAt AND at >= @fromAt AND at < @untilAt AND NOT (${isFailed})
    ORDER BY operation.created_at DESC LIMIT @most`;
  return {
    /**
     * Operations that failed in a stretch of time, the newest first.
     *
     * @param isBrief whether it is not asked when they worked since: of very many that takes long.
     */
    failed({
      after,
      isBrief = false,
      ...asked
    }: OperationFilter & Span & Portion & { readonly isBrief?: boolean }): readonly KnownOperation[] {
      // One that ended with the key, but comes before it, is shown already.
      const key = after ?? { at: asked.untilAt, project_ref: -1, operation_id: '' };
      return (isBrief ? failedBriefly : failed)({ ...anything, ...asked, ...key });
    },
    /** How many operations failed in a stretch of time; no more than `most` are counted. */
    countFailed: (asked: OperationFilter & Span & { readonly most: number }): number =>
      countFailed({ ...anything, ...asked }) ?? 0,
    /** How many operations ended in a stretch of time, likewise. */
    countEnded: (asked: OperationFilter & Span & { readonly most: number }): number =>
      countEnded({ ...anything, ...asked }) ?? 0,
    /** How many operations failed from one instant to another, by project. */
    failedByProject: sql.all<[fromAt: number, untilAt: number], ProjectFailures>`
      SELECT account, project_id, project_name, count(*) AS failures
      FROM operation INDEXED BY operation_failed ${ofProject}
      WHERE ${isFailed} AND ${endedAt} >= ? AND ${endedAt} < ? GROUP BY project_ref`,
    /**
     * Operations of present projects that go on, the oldest first.
     *
     * @param longerThanMs only ones that had gone on for longer when their project was last read: while nothing is read it is
     *   not known that they did not end.
     */
    open({
      after,
      longerThanMs = 0,
      ...asked
    }: OperationFilter & Portion & { readonly longerThanMs?: number }): readonly KnownOperation[] {
      const key = after ?? { at: Number.NEGATIVE_INFINITY, project_ref: -1, operation_id: '' };
      return open({ ...anything, ...asked, ...key, longerThanMs });
    },
    /** @param stuckMs had it gone on for longer when its project was last read, it is stuck. */
    countOpen: (filter: OperationFilter, stuckMs: number): OpenCount =>
      countOpen({ ...anything, ...filter, stuckMs }) ?? { open: 0, stuck: 0 },
    /** All operations of a project that were created in a stretch of time, the newest first. */
    ofProject(
      project_ref: number,
      { action = '', after, ...asked }: Span & Portion & Pick<OperationFilter, 'action'>,
    ): readonly KnownOperation[] {
      const { at, operation_id } = after ?? { at: asked.untilAt, operation_id: '' };
      return ofProjectIn({ ...asked, project_ref, action, at, operation_id });
    },
    /**
     * Operations of a project that did not fail, those created last first, in a stretch of time that they ended in, or were
     * created in if they go on; to be read at once.
     */
    marks: (project_ref: number, span: Span, most: number): Iterable<OperationMark> =>
      marks({ project_ref, ...span, createdFromAt: span.fromAt - longestUsualMs, most }),
    /** The actions that operations of any project had. */
    actions: sql.values<[], string>`SELECT DISTINCT word FROM word WHERE kind = 'action' ORDER BY word`,
  };
}
