import type { Database } from 'better-sqlite3';
import { type InstantRow, listInstants } from '../../resources/backfill.ts';
import type { Span } from '../../resources/duration.ts';
import { minOf } from '../../resources/min-max.ts';
import { createProjectFilter, type ProjectGlobs } from '../../resources/project-filter.ts';
import type { StoredRow } from '../column.ts';
import { WordRegister } from '../commit/word-register.ts';
import { statementsOf } from '../file/statement.ts';
import { UsageQuery } from '../usage/usage-query.ts';

export interface BackfillOptions {
  readonly instants: InstantRow;
  readonly staleAfterMs: number;
  /** Globs of the watched projects by account; the others are left out. All are watched by default. */
  readonly projects?: ReadonlyMap<string, ProjectGlobs>;
  /** Times in which another of several histories speaks for a project, by its number. */
  readonly elsewhere?: ReadonlyMap<number, readonly Span[]>;
}

export interface BackfillAccount {
  readonly account_ref: number;
  readonly account: string;
  readonly cpu_used_total_sec: number | null;
  /** It begins with its first project and has no end. */
  readonly life: Life;
  readonly projects: readonly BackfillProject[];
}

/** A project that is or was there. */
export interface BackfillProject {
  readonly account: string;
  readonly account_ref: number;
  readonly project_ref: number;
  readonly project_id: string;
  readonly life: Life;
  /** Its operations are known back to its beginning. */
  readonly operationsKnown: boolean;
  readonly row: StoredRow;
}

/** Everything the series of every resource are backfilled from. */
export interface BackfillSource extends Omit<BackfillOptions, 'projects' | 'elsewhere'> {
  readonly database: Database;
  readonly words: WordRegister;
  readonly usage: UsageQuery;
  readonly accounts: readonly BackfillAccount[];
  readonly everyProject: readonly BackfillProject[];
  readonly watchedProjects: readonly BackfillProject[];
}

/** Reads what all series need; rows of single projects are read when their turn comes. */
export function openBackfillSource(
  database: Database,
  { instants, staleAfterMs, projects = new Map(), elsewhere = new Map() }: BackfillOptions,
): BackfillSource {
  const sql = statementsOf(database);
  const everyProject = sql.all<[], StoredRow>`
    SELECT account, project.*, (SELECT value FROM project_change AS life WHERE life.project_ref = project.project_ref
      AND field = 'created_at' ORDER BY from_at LIMIT 1) AS begun_at
    FROM project JOIN account USING (account_ref)`().map(row => toProject(row, elsewhere));
  const accounts = sql.all<[], Omit<BackfillAccount, 'life' | 'projects'>>`
    SELECT account_ref, account, cpu_used_total_sec FROM account`();
  const filters = new Map([...projects].map(([account, globs]) => [account, createProjectFilter(globs)]));
  const isWatched = ({ account, project_id, row }: BackfillProject) =>
    filters.get(account)?.({ project_id, project_name: String(row.project_name ?? '') }) ?? true;
  return {
    database,
    instants,
    staleAfterMs,
    words: new WordRegister(database),
    usage: new UsageQuery(database),
    accounts: accounts.map(account => {
      const own = everyProject.filter(project => project.account_ref === account.account_ref);
      return { ...account, projects: own, life: lifeOfAccount(own) };
    }),
    everyProject,
    watchedProjects: everyProject.filter(isWatched),
  };
}

function lifeOfAccount(projects: readonly BackfillProject[]): Life {
  return { fromAt: minOf(projects.map(({ life }) => Math.max(life.fromAt, findSpokenFrom(life)))) };
}

/** When this history first speaks for a project; never where another one always does. */
function findSpokenFrom({ elsewhere = [] }: Life): number {
  const before = elsewhere.find(({ fromAt }) => fromAt === Number.NEGATIVE_INFINITY);
  return before?.untilAt ?? Number.NEGATIVE_INFINITY;
}

function toProject(row: StoredRow, elsewhere: NonNullable<BackfillOptions['elsewhere']>): BackfillProject {
  const isImported = row.operations_head_at !== null && row.operations_tail_cursor === null;
  const project_ref = Number(row.project_ref);
  const spans = elsewhere.get(project_ref);
  return {
    account: String(row.account),
    account_ref: Number(row.account_ref),
    project_ref,
    project_id: String(row.project_id),
    // It begins with the first life in its account, or when it moved there.
    life: {
      ...lifeOf({ ...row, created_at: row.begun_at ?? row.created_at ?? null }),
      ...(spans && { elsewhere: spans }),
    },
    operationsKnown: isImported || row.born_watched === 1,
    row,
  };
}

/** The life of a row: from its creation, or where that is not known since it was first seen. */
export function lifeOf({ created_at, first_seen_at, gone_at }: StoredRow): Life {
  return {
    fromAt: Number(created_at ?? first_seen_at),
    ...(gone_at != null && { untilAt: Number(gone_at) }),
  };
}

/** An endpoint that is or was there. */
export interface BackfillEndpoint {
  readonly project: BackfillProject;
  readonly endpoint_ref: number;
  readonly life: Life;
  readonly name: { readonly account: string; readonly project_id: string; readonly endpoint_id: string };
  readonly row: StoredRow;
}

/** The time something was there, in epoch milliseconds; without an end it still is. */
interface Life {
  readonly fromAt: number;
  readonly untilAt?: number | undefined;
  /** Times in which another of several histories speaks for it. */
  readonly elsewhere?: readonly Span[];
}

/** Whether something has samples at an instant. */
export function isShownAt(
  { fromAt, untilAt = Number.POSITIVE_INFINITY, elsewhere = [] }: Life,
  at: number,
): boolean {
  if (at < fromAt || at >= untilAt) return false;
  return !elsewhere.some(span => at >= span.fromAt && at < span.untilAt);
}

/**
 * The view at each instant after all that had happened by then; undefined outside of a life.
 *
 * @param events in order.
 * @param show is asked for the view where something happened since the last instant.
 */
export function* replay<Event extends { readonly at: number }>(
  instants: InstantRow,
  life: Life,
  events: Iterable<Event>,
  { apply, show }: { apply(event: Event): void; show(): unknown },
): Generator<unknown> {
  const rest = events[Symbol.iterator]();
  let next = rest.next();
  let shown: { readonly view: unknown } | undefined;
  for (const at of listInstants(instants)) {
    for (; next.done !== true && next.value.at <= at; next = rest.next()) {
      apply(next.value);
      shown = undefined;
    }
    if (!isShownAt(life, at)) {
      yield undefined;
      continue;
    }
    shown ??= { view: show() };
    yield shown.view;
  }
}

/** The same view at all instants of a life. */
export function remain(instants: InstantRow, life: Life, view: unknown): Iterable<unknown> {
  return replay(instants, life, [], { apply() {}, show: () => view });
}
