import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { HistoryError } from '../../history/file/history-error.ts';
import { NoHistory } from '../../report/chosen-history.ts';
import { minuteMs, renderDuration } from '../../resources/duration.ts';
import type { WrittenDay } from './manifest.ts';
import { exportTables, type TableRequest } from './table-export.ts';

/** The surroundings of an export that goes on. */
export interface FollowHost {
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
