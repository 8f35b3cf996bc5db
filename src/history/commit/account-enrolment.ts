import type { Database } from 'better-sqlite3';
import { createProjectFilter } from '../../resources/project-filter.ts';
import { statementsOf } from '../file/statement.ts';
import type { HistoryOptions } from '../history-options.ts';
import { accountQueryOf } from '../snapshot/account-query.ts';
import { KnownAccount } from '../snapshot/known-account.ts';
import { ProjectQuery } from '../snapshot/project-query.ts';
import type { WordRegister } from './word-register.ts';

/** What is known of each account, by its name; an account that is new gets its row. */
export function enrolAccounts(
  database: Database,
  words: WordRegister,
  options: HistoryOptions,
): ReadonlyMap<string, KnownAccount> {
  const enrol = statementsOf(database).value<[string], number>`
    INSERT INTO account (account) VALUES (?)
    ON CONFLICT DO UPDATE SET account = excluded.account RETURNING account_ref`;
  const read = accountReader(database, words, options);
  return new Map(options.accounts.map(account => [account, read(account, enrol(account) ?? 0)]));
}

/** Makes a function that reads what is known of an account, and writes nothing. */
export function accountReader(
  database: Database,
  words: WordRegister,
  { collectors, projects, dropAfterMs, meterUnit = 'month' }: HistoryOptions,
): (account: string, account_ref: number) => KnownAccount {
  const queries = {
    account: accountQueryOf(database, collectors, meterUnit),
    projects: new ProjectQuery(database, words, collectors),
  };
  const readsOperations = collectors.includes('operations');
  return (account, account_ref) => {
    const globs = projects?.get(account);
    const isWatched = globs === undefined ? () => true : createProjectFilter(globs);
    return new KnownAccount({
      ...{ account, account_ref, queries, dropAfterMs, meterUnit },
      ...{ readsOperations, isWatched },
    });
  };
}

/** @throws Error for an account that is not one of the history's. */
export function accountOf(accounts: ReadonlyMap<string, KnownAccount>, account: string): KnownAccount {
  const known = accounts.get(account);
  if (known === undefined) throw new Error(`account ${account} was not given to the history`);
  return known;
}
