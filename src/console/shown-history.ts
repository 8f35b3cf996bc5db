import { HistoryBrowser } from '../history/browse/history-browser.ts';
import { SeveralBrowser } from '../history/browse/several/several-browser.ts';
import type { ConsoleConfig } from './console-config.ts';

/** The history that is looked at, of one file or of several. */
export type ShownHistory = Pick<HistoryBrowser, 'look' | 'usable' | 'close'>;

/** Opens the history of the daemon, or the histories of others. */
export function openBrowser({ histories, history }: ConsoleConfig): ShownHistory {
  return histories === undefined ? new HistoryBrowser(history.file) : new SeveralBrowser(histories);
}
