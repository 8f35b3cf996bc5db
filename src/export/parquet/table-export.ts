import { mkdirSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { HistoryError } from '../../history/file/history-error.ts';
import { isSeveral, listHistories } from '../../history/file/history-list.ts';
import { lockHistory } from '../../history/file/lock.ts';
import { ReadHistory } from '../../history/merge/report-reading.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { describeError } from '../../log/error-record.ts';
import { chooseAccounts, NoHistory, refuseNoHistory } from '../../report/chosen-history.ts';
import { showInstant } from '../../report/format/shown-cell.ts';
import { minuteMs, renderDuration } from '../../resources/duration.ts';
import { Failure } from '../../resources/failure.ts';
import { nameShards } from '../../resources/shard.ts';
import { writeDay } from './day-writing.ts';
import { GrowingManifest, manifestPath, readManifest, type WrittenDay } from './manifest.ts';
import {
  findSettlement,
  listSettledDays,
  prepareDays,
  type SettledDay,
  type Settlement,
} from './settled-day.ts';

/** The part of a history that is written as tables. */
export interface TableRequest {
  readonly out: string;
  /** Epoch milliseconds; all that is settled where they are absent. */
  readonly from?: number;
  readonly to?: number;
  readonly account?: string;
  readonly isPersonal: boolean;
}

/** The surroundings of an export. */
interface TableHost {
  /** Called with each day once all its files are there, and with the part that is written, 0 to 1. */
  readonly onDay: (day: WrittenDay, done: number) => void;
  readonly signal: AbortSignal;
}

/** The outcome of an export. */
interface TableResult {
  readonly written: number;
  readonly settlements: readonly Settlement[];
}

/** Days that are worked out from one look at the history. */
const daysAtOnce = 8;

/**
 * Writes the settled days of a history that are not in a folder yet, each once; several histories are one.
 *
 * @throws Failure when there is nothing to read or a file cannot be written: what is in the manifest is whole all the same.
 */
export async function exportTables(
  config: Config,
  request: TableRequest,
  host: TableHost,
): Promise<TableResult> {
  const { out: folder, isPersonal } = request;
  const lock = lockFolder(folder);
  try {
    const terms = { timezone: config.usage.timezone, personal: isPersonal };
    const manifest = new GrowingManifest(folder, readManifest(folder, terms));
    using histories = new ReadHistory(listHistories(config.history.file));
    const look: Look = read => lookAt(histories, config, request, read);
    const { days, settlements } = look(history => listDue(history, config, request, manifest));
    try {
      await writeDays(config, request, { host, manifest, days, look });
    } finally {
      manifest.save();
    }
    return { written: days.length, settlements };
  } finally {
    lock.release();
  }
}

/** Reads the accounts that are meant, once for each portion: a daemon may go on to write meanwhile. */
type Look = <Found>(read: (history: ReportHistory) => Found) => Found;

interface DueDays {
  readonly look: Look;
  readonly host: TableHost;
  readonly manifest: GrowingManifest;
  readonly days: readonly SettledDay[];
}

async function writeDays(
  config: Config,
  request: TableRequest,
  { host, manifest, days, look }: DueDays,
): Promise<void> {
  for (let done = 0; done < days.length; ) {
    const portion = days
      .slice(done, done + daysAtOnce)
      .filter(({ account }) => account === days[done]?.account);
    look(history => {
      for (const parquetDay of prepareDays(history, config, request.isPersonal, portion)) {
        const written = writeDay(request.out, parquetDay);
        manifest.add(written);
        done += 1;
        host.onDay(written, done / days.length);
        if (host.signal.aborted) break;
      }
    });
    // Lets a signal through.
    await setImmediate();
    if (host.signal.aborted)
      throw new Failure('the export was told to stop: the next one goes on where it was');
  }
}

/** Sentences on what was written, and on how far each account is settled. */
export function describeExport({ written, settlements }: TableResult, { usage }: Config): readonly string[] {
  const days = `${written} ${written === 1 ? 'day was' : 'days were'} added.`;
  return [
    days,
    ...settlements.map(({ account, untilAt, isMeterLate, missing }) => {
      if (missing.length > 0)
        return `Of account ${account} nothing is added while the history of ${nameShards(missing)} is not there.`;
      if (!(untilAt > 0)) return `Of account ${account} nothing is settled yet.`;
      const why = isMeterLate ? ', as far as the meter of the service is' : '';
      return `Account ${account} is settled until ${showInstant(untilAt, usage.timezone)}${why}.`;
    }),
  ];
}

function lookAt<Found>(
  histories: ReadHistory,
  config: Config,
  { account }: TableRequest,
  read: (history: ReportHistory) => Found,
): Found {
  const { file } = config.history;
  const choose = (known: readonly string[]) =>
    chooseAccounts({ config, ...(account !== undefined && { account }) }, known).filter(each =>
      known.includes(each),
    );
  const found = histories.look(open => ({ value: read(open(choose)) }));
  return found === undefined ? refuseNoHistory(file) : found.value;
}

function listDue(
  history: ReportHistory,
  config: Config,
  { from = 0, to = Number.POSITIVE_INFINITY }: TableRequest,
  manifest: GrowingManifest,
) {
  const isPart = !isSeveral(config.history.file);
  const settlements = history.accounts.map(account => findSettlement(history, account, isPart));
  const days = settlements
    .flatMap(each => listSettledDays(each, config.usage.timezone, { fromAt: from, untilAt: to }))
    .filter(({ account, label }) => !manifest.has({ account, day: label }));
  return { days, settlements };
}

/** @throws Failure when another process exports to the folder, or it may not be written. */
function lockFolder(folder: string): { release(): void } {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Failure(`${folder} cannot be made: ${describeError(cause)}; name another folder with --out`);
  }
  try {
    return lockHistory(manifestPath(folder), folder);
  } catch (cause) {
    throw new Failure(
      `${folder} cannot be exported to now (${describeError(cause)}): is another export to it running?`,
    );
  }
}

/** The surroundings of an export that goes on. */
interface FollowHost {
  /** Called with a sentence on each day that was added. */
  readonly onLine: (line: string) => void;
  /** Called with a sentence on a history that cannot be read for now. */
  readonly onTrouble: (sentence: string) => void;
  readonly signal: AbortSignal;
  /** How often it looks for days that settled since, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Adds each day as it settles, until it is told to stop. A history that could be read once is waited for: it may be about to
 * be restored.
 *
 * @throws Failure when a file cannot be written, and what is there is whole; or when there is nothing to read at first.
 * @throws HistoryError when the history cannot be read at first.
 */
export async function followTables(
  config: Config,
  request: TableRequest,
  { onLine, onTrouble, signal, everyMs = 5 * minuteMs }: FollowHost,
): Promise<void> {
  const onDay = (day: WrittenDay) => onLine(describeDay(day));
  let wasRead = false;
  while (!signal.aborted) {
    try {
      await exportTables(config, request, { onDay, signal });
      wasRead = true;
    } catch (error) {
      // To be told to stop is how this ends.
      if (signal.aborted) return;
      if (!wasRead || !isOfReading(error)) throw error;
      onTrouble(`${error.message}; it is read again in ${renderDuration(everyMs)}`);
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => {});
  }
}

function isOfReading(error: unknown): error is Error {
  return error instanceof HistoryError || error instanceof NoHistory;
}

function describeDay({ account, day, files }: WrittenDay): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return `Added ${day} of account ${account}: ${files.length} files, ${rows} rows.`;
}
