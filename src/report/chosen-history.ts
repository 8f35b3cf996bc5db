import { nameHistories } from '../history/file/history-list.ts';
import { Failure } from '../resources/failure.ts';
import type { ReportRequest } from './request.ts';

/** A history that is not there, or not yet. */
export class NoHistory extends Failure {}

/** @throws NoHistory that says what to do. */
export function refuseNoHistory(file: string): never {
  throw new NoHistory(
    `there is no history at ${nameHistories(file)} yet: run the daemon on it, or name another with --history.file`,
  );
}

/**
 * The accounts that are asked for: the named one, those of the configuration, or all of the history.
 *
 * @throws Failure when the history does not know the named one.
 */
export function chooseAccounts(
  { account, config }: Pick<ReportRequest, 'account' | 'config'>,
  known: readonly string[],
): readonly string[] {
  if (account === undefined)
    return config.accounts.length > 0 ? config.accounts.map(({ name }) => name) : known;
  if (known.includes(account)) return [account];
  const there = known.length === 0 ? 'it has none yet' : `it has ${known.join(', ')}`;
  throw new Failure(
    `--account: there is no account "${account}" in ${nameHistories(config.history.file)}: ${there}`,
    'usage',
  );
}
