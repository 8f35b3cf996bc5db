import type { Database } from 'better-sqlite3';
import type { Collector } from '../../resources/collector.ts';
import type { Shard } from '../../resources/shard.ts';
import { FollowedFile } from '../file/followed-file.ts';
import { HistoryError } from '../file/history-error.ts';
import { historySizeBytes } from '../file/history-size.ts';
import { type AccountState, AccountStates, joinAccounts } from './account-state.ts';
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

interface OpenPart extends JoinedPart {
  readonly states: AccountStates;
}

/** Tells how far each of several histories is, which somebody else writes. */
export class StateWatch {
  readonly #files: readonly FollowedFile<AccountStates>[];

  /** @param collectors those that are on. */
  constructor(files: readonly string[], collectors: readonly Collector[]) {
    this.#files = files.map(
      file => new FollowedFile(file, database => new AccountStates(database, collectors)),
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
  const read = new Map(parts.map(part => [part, new Set<number>()]));
  if (parts.length > 1) for (const { last } of listJoinedProjects(parts)) read.get(last.part)?.add(last.own);
  return new Map(
    parts.map(part => {
      const all = part.database.prepare<[], number>('SELECT project_ref FROM project').pluck().all();
      return [part, parts.length > 1 ? all.filter(own => read.get(part)?.has(own) !== true) : []];
    }),
  );
}

/** Runs short work over several histories, each as it was when the work began. */
function holdStill<Result>(databases: readonly Database[], work: () => Result): Result {
  const [first, ...others] = databases;
  return first === undefined ? work() : first.transaction(() => holdStill(others, work))();
}
