import { nameHistories } from '../history/file/history-list.ts';
import { Failure } from '../resources/failure.ts';
import type { ReportRequest } from './request.ts';

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
