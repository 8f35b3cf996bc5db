import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { History, type HistoryOptions } from '../../src/history/history.ts';
import type { AccountView } from '../../src/resources/account.ts';
import { day, minute } from './reading-builder.ts';

/** A temporary folder with histories in it; disposing of it closes and removes them. */
export class HistoryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'dbpm-history-'));
  readonly #opened = new Set<History>();

  get file(): string {
    return join(this.path, 'dbpm.sqlite');
  }

  /** Opens the history of account `main`, unless the options say otherwise. */
  open(options: Partial<HistoryOptions> = {}): History {
    const history = new History({
      file: this.file,
      accounts: ['main'],
      staleAfterMs: 45 * day,
      dropAfterMs: 10 * minute,
      ...options,
    });
    this.#opened.add(history);
    return history;
  }

  close(history: History): void {
    this.#opened.delete(history);
    history.close();
  }

  /** Closes it and opens the file again, as a restart does. */
  reopen(history: History, options: Partial<HistoryOptions> = {}): History {
    this.close(history);
    return this.open(options);
  }

  [Symbol.dispose](): void {
    for (const history of this.#opened) history.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The view of the first account. */
export function viewOf(history: History, now: number): AccountView {
  const [view] = history.view(now);
  if (view === undefined) throw new Error('the history has no account');
  return view;
}
