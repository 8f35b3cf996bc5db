import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { minuteMs } from '../resources/duration.ts';
import type { WrittenDay } from './manifest.ts';
import { exportTables, type TableRequest } from './table-export.ts';

/** The surroundings of an export that goes on. */
export interface FollowHost {
  /** Called with a sentence on each day that was added. */
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
  /** How often it looks for days that settled since, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Adds each day as it settles, until it is told to stop.
 *
 * @throws Failure when a file cannot be written; what is there is whole.
 */
export async function followTables(
  config: Config,
  request: TableRequest,
  { onLine, signal, everyMs = 5 * minuteMs }: FollowHost,
): Promise<void> {
  const onDay = (day: WrittenDay) => onLine(describeDay(day));
  while (!signal.aborted) {
    try {
      await exportTables(config, request, { onDay, signal });
      await setTimeout(everyMs, undefined, { signal });
    } catch (error) {
      // To be told to stop is how this ends.
      if (!signal.aborted) throw error;
    }
  }
}

function describeDay({ account, day, files }: WrittenDay): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return `Added ${day} of account ${account}: ${files.length} files, ${rows} rows.`;
}
