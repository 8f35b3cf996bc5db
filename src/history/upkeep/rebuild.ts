import { openDatabase } from '../file/database.ts';
import { UsageRollUp } from '../usage/usage-roll-up.ts';
import { confirmedAt } from './confirmed-clock.ts';

export interface Rebuilt {
  readonly projects: number;
  /** Rows there are now: a row where an hour or a day used anything. */
  readonly hours: number;
  readonly days: number;
}

export interface RebuildOptions {
  readonly file: string;
  /** Called with the part that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Work on so many projects is one step of the progress. */
const projectsPerStep = 25;

/**
 * Works out what projects used by hour and by day anew, as far back as samples are kept: all of it or, if it fails, nothing.
 *
 * @throws HistoryError when the file cannot be used, such as beside a running daemon.
 */
export function rebuildUse({ file, onProgress = () => {} }: RebuildOptions): Rebuilt {
  const { database, transact, close } = openDatabase(file);
  try {
    const rollUp = new UsageRollUp(database);
    const count = (table: string) => database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck();
    const projects = count('project').get() ?? 0;
    const now = confirmedAt(database) ?? 0;
    return transact(() => {
      rollUp.reset();
      let done = 0;
      for (let step = -1; step !== 0; done += step) {
        step = rollUp.advance(now, projectsPerStep);
        onProgress(projects === 0 ? 1 : Math.min(1, done / projects));
      }
      return { projects, hours: count('usage_hour').get() ?? 0, days: count('usage_day').get() ?? 0 };
    });
  } finally {
    close();
  }
}
