import type { Database } from 'better-sqlite3';
import { createProjectFilter } from '../../resources/project-filter.ts';
import type { HistoryOptions } from '../history-options.ts';
import { AccountMemory } from '../view/account-memory.ts';
import { AccountQuery, KeyQuery } from '../view/account-query.ts';
import { ProjectQuery } from '../view/project-query.ts';
import type { WordRegister } from './word-register.ts';

/** The memory of each account, by its name; an account that is new gets its row. */
export function rememberAccounts(
  database: Database,
  words: WordRegister,
  options: HistoryOptions,
): ReadonlyMap<string, AccountMemory> {
  const enrol = database
    .prepare<[string], number>(
      `INSERT INTO account (account) VALUES (?)
       ON CONFLICT DO UPDATE SET account = excluded.account RETURNING account_ref`,
    )
    .pluck();
  const remember = makeRemember(database, words, options);
  return new Map(options.accounts.map(account => [account, remember(account, enrol.get(account) ?? 0)]));
}

/** Makes a function that reads the memory of an account, and writes nothing. */
export function makeRemember(
  database: Database,
  words: WordRegister,
  { collectors, projects, dropAfterMs, meterUnit = 'month' }: HistoryOptions,
): (account: string, account_ref: number) => AccountMemory {
  const queries = {
    account: new AccountQuery(database, collectors, meterUnit),
    projects: new ProjectQuery(database, words, collectors),
    keys: new KeyQuery(database),
  };
  const readsOperations = collectors.includes('operations');
  return (account, account_ref) => {
    const globs = projects?.get(account);
    const isWatched = globs === undefined ? () => true : createProjectFilter(globs);
    return new AccountMemory({
      ...{ account, account_ref, queries, dropAfterMs, meterUnit },
      ...{ readsOperations, isWatched },
    });
  };
}

/** @throws Error for an account that is not one of the history's. */
export function memoryOf(memories: ReadonlyMap<string, AccountMemory>, account: string): AccountMemory {
  const memory = memories.get(account);
  if (memory === undefined) throw new Error(`account ${account} was not given to the history`);
  return memory;
}
