import type { Database } from 'better-sqlite3';
import { type AccountOverview, type CollectorView, lastListedAt } from '../../resources/account.ts';
import type { Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import { maxOf, minOf } from '../../resources/min-max.ts';
import type { Shard } from '../../resources/shard.ts';
import { isUnimported } from '../clause.ts';
import { FollowedFile } from '../file/followed-file.ts';
import { HistoryError } from '../file/history-error.ts';
import { historySizeBytes } from '../file/reader.ts';
import { statementsOf } from '../file/statement.ts';
import { hasReadKeys, readShard } from '../history-source.ts';
import { accountQueryOf } from '../snapshot/account-query.ts';
import { type JoinedPart, listJoinedProjects } from './joined-project.ts';

/** One of several histories, and what it knows. */
export interface HistoryState {
  readonly file: string;
  readonly sizeBytes: number;
  /** Why it cannot be read; absent where it can. */
  readonly problem?: string;
  /** The part of the projects that it is for; absent where that is all of them. */
  readonly shard?: Shard;
  /** Without the projects that another history speaks for by now. */
  readonly accounts: readonly AccountState[];
}

/** Several histories at one moment. */
export interface SeveralStates {
  readonly files: readonly HistoryState[];
  /** Each account once. */
  readonly accounts: readonly AccountState[];
}

type AccountStates = ReturnType<typeof accountStatesOf>;

interface OpenPart extends JoinedPart {
  readonly states: AccountStates;
}

/** Tells how far each of several histories is, which somebody else writes. */
export class StateWatch {
  readonly #files: readonly FollowedFile<AccountStates>[];

  /** @param collectors the ones that are on. */
  constructor(files: readonly string[], collectors: readonly Collector[]) {
    this.#files = files.map(
      file => new FollowedFile(file, database => accountStatesOf(database, collectors)),
    );
  }

  read(): SeveralStates {
    const opened = this.#files.map(each => ({ file: each.file, found: openPart(each) }));
    const parts = opened.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
    const files = holdStill(
      parts.map(({ database }) => database),
      () => {
        const former = findFormer(parts);
        return opened.map(({ file, found }): HistoryState => {
          const sizeBytes = historySizeBytes(file);
          if (typeof found === 'string') return { file, sizeBytes, problem: found, accounts: [] };
          const { states } = found;
          const accounts = states.read(former.get(found) ?? []);
          return { file, sizeBytes, ...(states.shard && { shard: states.shard }), accounts };
        });
      },
    );
    return { files, accounts: joinAccounts(files.flatMap(({ accounts }) => accounts)) };
  }

  close(): void {
    for (const each of this.#files) each.close();
  }
}

/** @returns a sentence that says why it cannot be read, where it cannot. */
function openPart(followed: FollowedFile<AccountStates>): OpenPart | string {
  const { file } = followed;
  try {
    const found = followed.open();
    return found === undefined
      ? `${file} is not there`
      : { file, database: found.database, states: found.made };
  } catch (error) {
    if (error instanceof HistoryError) return error.message;
    throw error;
  }
}

/** Numbers of projects in each history that another one speaks for by now. */
function findFormer(parts: readonly JoinedPart[]): ReadonlyMap<JoinedPart, readonly number[]> {
  const former = new Map(parts.map(part => [part, [] as number[]]));
  if (parts.length < 2) return former;
  for (const { known, last } of listJoinedProjects(parts))
    for (const { part, own } of known) if (part !== last.part) former.get(part)?.push(own);
  return former;
}

/** Runs short work over several histories, each as it was when the work began. */
function holdStill<Result>(databases: readonly Database[], work: () => Result): Result {
  const [first, ...others] = databases;
  return first === undefined ? work() : first.transaction(() => holdStill(others, work))();
}

/** How an account was doing when a history was last written. */
interface AccountState extends AccountOverview {
  /** The newest reading of anything, by the clock of the host that read it; absent before one was. */
  readonly newestReadAt?: number;
}

interface Counts {
  readonly projects: number;
  readonly endpoints: number;
  readonly oldestReadAt: number | null;
  readonly importsLeft: number;
}

/**
 * Reads the state of accounts from one of several histories.
 *
 * @param collectors the ones that are on: others are as if they had never been.
 */
function accountStatesOf(database: Database, collectors: readonly Collector[]) {
  const sql = statementsOf(database);
  const own = collectors.filter(each => each !== 'api_keys' || hasReadKeys(database));
  const totals = accountQueryOf(database, own, 'month');
  const accounts = sql.all<[], { account: string; account_ref: number }>`
    SELECT account, account_ref FROM account ORDER BY account_ref`;
  const count = sql.one<[account_ref: number, except: string], Counts>`
    SELECT count(*) AS projects, min(last_refresh_at) AS oldestReadAt,
      coalesce(sum((SELECT count(*) FROM endpoint WHERE endpoint.project_ref = project.project_ref
        AND endpoint.gone_at IS NULL AND endpoint.first_seen_at IS NOT NULL)), 0) AS endpoints,
      coalesce(sum(${isUnimported} AND born_watched = 0), 0) AS importsLeft
    FROM project WHERE account_ref = ? AND gone_at IS NULL
      AND project_ref NOT IN (SELECT value FROM json_each(?))`;
  return {
    shard: readShard(database),
    /** @param except numbers of projects that do not count. */
    read: (except: readonly number[]): readonly AccountState[] =>
      accounts().map(({ account, account_ref }) => {
        const summary = { account, ...totals.read(account_ref), api_keys: [] };
        const {
          projects = 0,
          endpoints = 0,
          importsLeft = 0,
          oldestReadAt,
        } = count(account_ref, JSON.stringify(except)) ?? {};
        const read = summary.collectors.flatMap(({ lastSuccessAt }) => lastSuccessAt ?? []);
        return {
          summary: { ...summary, ...(lastListedAt(summary) !== undefined && { importsLeft }) },
          ...{ projects, endpoints },
          ...compact({ oldestReadAt, newestReadAt: read.length === 0 ? undefined : maxOf(read) }),
        };
      }),
  };
}

/** Accounts that are in several histories as one each: as old as the oldest of its parts, as well as the worst of them. */
function joinAccounts(states: readonly AccountState[]): readonly AccountState[] {
  const byAccount = Map.groupBy(states, ({ summary }) => summary.account);
  return [...byAccount.values()].flatMap(found => {
    const [first] = found;
    if (first === undefined || found.length === 1) return found;
    const summaries = found.map(({ summary }) => summary);
    const sum = (of: (each: AccountState) => number) => found.reduce((all, each) => all + of(each), 0);
    const oldest = found.flatMap(({ oldestReadAt }) => oldestReadAt ?? []);
    const newest = found.flatMap(({ newestReadAt }) => newestReadAt ?? []);
    return [
      {
        summary: {
          ...first.summary,
          collectors: joinCollectors(summaries.flatMap(({ collectors }) => collectors)),
          importsLeft: sum(({ summary }) => summary.importsLeft ?? 0),
          ...compact({
            up: worst(summaries.flatMap(({ up }) => up ?? [])),
            authOk: worst(summaries.flatMap(({ authOk }) => authOk ?? [])),
          }),
        },
        ...{ projects: sum(({ projects }) => projects), endpoints: sum(({ endpoints }) => endpoints) },
        ...compact({
          oldestReadAt: oldest.length === 0 ? undefined : minOf(oldest),
          newestReadAt: newest.length === 0 ? undefined : maxOf(newest),
        }),
      },
    ];
  });
}

function worst(found: readonly boolean[]): boolean | undefined {
  return found.length === 0 ? undefined : found.every(each => each);
}

function joinCollectors(views: readonly CollectorView[]): readonly CollectorView[] {
  return [...Map.groupBy(views, ({ collector }) => collector)].map(([collector, found]) => {
    const errors: Record<string, number> = {};
    for (const [reason, count] of found.flatMap(each => Object.entries(each.errors)))
      errors[reason] = (errors[reason] ?? 0) + count;
    const ages = found.map(({ lastSuccessAt }) => lastSuccessAt);
    const durations = found.flatMap(({ lastDurationMs }) => lastDurationMs ?? []);
    return {
      collector,
      errors,
      ...compact({
        success: worst(found.flatMap(({ success }) => success ?? [])),
        lastSuccessAt: ages.includes(undefined) ? undefined : minOf(ages.flatMap(at => at ?? [])),
        lastDurationMs: durations.length === 0 ? undefined : maxOf(durations),
      }),
    };
  });
}
