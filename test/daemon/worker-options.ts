import type { HistoryWorkerOptions } from '../../src/daemon/history-api.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { HistoryFolder } from '../support/history-folder.ts';
import { day, minute } from '../support/reading-builder.ts';

/** Options of a worker that keeps account `main` in the file of a folder and shows everything. */
export function workerOptions({ file }: HistoryFolder): HistoryWorkerOptions {
  return {
    file,
    accounts: ['main'],
    collectors,
    selection: { mode: 'full', exclude: [], collectors },
    staleAfterMs: 45 * day,
    dropAfterMs: 10 * minute,
  };
}
