import { type ReportHistory, readReportHistory } from '../history/usage/report-history.ts';
import { Failure } from '../resources/failure.ts';
import type { ReportRequest } from './request.ts';

/**
 * Reads the history of the accounts that a report is of.
 *
 * @throws Failure when there is none, or not of that account; HistoryError when it cannot be read.
 */
export function readChosenHistory<Made>(
  request: ReportRequest,
  make: (history: ReportHistory) => Made,
): Made {
  const { file } = request.config.history;
  const made = readReportHistory(file, known => chooseAccounts(request, known, file), make);
  if (made !== undefined) return made;
  throw new Failure(
    `there is no history at ${file} yet: run the daemon on it, or name another with --history.file`,
  );
}

function chooseAccounts(
  { account, config }: ReportRequest,
  known: readonly string[],
  file: string,
): readonly string[] {
  if (account !== undefined) {
    if (known.includes(account)) return [account];
    const there = known.length === 0 ? 'it has none yet' : `it has ${known.join(', ')}`;
    throw new Failure(`--account: there is no account "${account}" in ${file}: ${there}`, 'usage');
  }
  return config.accounts.length > 0 ? config.accounts.map(({ name }) => name) : known;
}
