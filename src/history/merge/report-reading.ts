import type { Database } from 'better-sqlite3';
import { lookUp } from '../file/look-up.ts';
import { refuseOtherFormat } from '../file/reader.ts';
import { listAccounts, openReportHistory, type ReportHistory } from '../usage/report-history.ts';
import { mergeHistories } from './merged-history.ts';
import { readProjectLives } from './project-life.ts';

interface OpenFile {
  readonly file: string;
  readonly database: Database;
}

/**
 * As `readReportHistory`, of several histories as one.
 *
 * @returns undefined where none is there yet.
 */
export function readReportHistories<Found>(
  files: readonly string[],
  choose: (known: readonly string[]) => readonly string[],
  read: (history: ReportHistory) => Found,
): Found | undefined {
  return lookAtHistories(files, open => read(open(choose)));
}

/** Opens the history of some of the accounts that it knows. */
export type OpenHistory = (choose: (known: readonly string[]) => readonly string[]) => ReportHistory;

/**
 * Looks at several histories as one, in which nothing changes meanwhile: all that is opened is of one instant.
 *
 * @returns undefined where none is there yet.
 */
export function lookAtHistories<Found>(
  files: readonly string[],
  read: (open: OpenHistory) => Found,
): Found | undefined {
  return openEach(files, [], opened =>
    opened.length === 0 ? undefined : read(choose => joinAll(opened, choose)),
  );
}

/** Opens one file within the other, so that each is closed again whatever happens. */
function openEach<Found>(
  [file, ...others]: readonly string[],
  opened: readonly OpenFile[],
  read: (opened: readonly OpenFile[]) => Found,
): Found {
  if (file === undefined) return read(opened);
  const found = lookUp(file, database => {
    refuseOtherFormat(database, file);
    const work = () => ({ value: openEach(others, [...opened, { file, database }], read) });
    return database.transaction(work)();
  });
  // A history that is empty has nothing to add.
  return found === undefined ? openEach(others, opened, read) : found.value;
}

function joinAll(
  opened: readonly OpenFile[],
  choose: (known: readonly string[]) => readonly string[],
): ReportHistory {
  const known = opened.map(({ database }) => listAccounts(database));
  const accounts = choose([...new Set(known.flat())]);
  const [only] = opened;
  if (only !== undefined && opened.length === 1) return openReportHistory(only.database, accounts);
  const parts = opened.map(({ file, database }, index) => {
    const own = accounts.filter(account => known[index]?.includes(account));
    return { file, history: openReportHistory(database, own), lives: readProjectLives(database) };
  });
  return mergeHistories(parts, accounts);
}
