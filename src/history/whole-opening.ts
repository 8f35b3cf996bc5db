import { existsSync, rmSync } from 'node:fs';
import { resolveLinks } from './file/alias.ts';
import { listBackups } from './file/backup.ts';
import {
  openOrBeginAnew,
  restoreNewest,
  type SetAside,
  saysHistory,
  suspicionOf,
} from './file/damaged-file.ts';
import { DamagedHistory } from './file/history-error.ts';
import { wasBrought } from './file/lock.ts';
import { History } from './history.ts';
import type { HistoryOptions } from './history-options.ts';
import { examineHistory } from './soundness/examination.ts';

/**
 * Opens a history for a daemon. A damaged one is set aside, and the newest sound backup goes on in its place. All of the
 * file is looked at first where a part of it was found damaged before, and where it is a copy that was made by other
 * means than `backup`: that may be torn without anybody noticing.
 *
 * @param now epoch milliseconds by this host's clock.
 * @throws HistoryError when the file cannot be used; its message says what to do.
 */
export function openWhole(
  options: HistoryOptions,
  now: number,
): { readonly opened: History; readonly setAside?: SetAside } {
  const { file, backup } = options;
  const path = resolveLinks(file);
  const backups = backup === undefined ? [] : listBackups(file, backup.directory);
  let isCopy = wasBrought(path);
  // Without a backup a history with a damaged part is better than none.
  const isSuspect = existsSync(suspicionOf(path)) && backups.length > 0;
  let isLookedAt = !((isCopy || isSuspect) && saysHistory(path));
  const { opened, setAside } = openOrBeginAnew(file, {
    open() {
      const isFirst = !isLookedAt;
      isLookedAt = true;
      if (isFirst) refuseDamaged(file);
      return new History({ ...options, ...(isCopy && { isCopy }) });
    },
    restore(to) {
      const restoration = restoreNewest(backups, to);
      isCopy = restoration.backup !== undefined;
      return restoration;
    },
    now,
  });
  if (isSuspect) rmSync(suspicionOf(path), { force: true });
  if (setAside !== undefined) opened.noteSetAside(setAside);
  return { opened, ...(setAside && { setAside }) };
}

function refuseDamaged(file: string): void {
  // A file that is none, or of a newer version, is refused when it is opened.
  const flaw = examineHistory(file).flaws.find(({ table }) => table !== undefined);
  if (flaw !== undefined) throw new DamagedHistory(`${flaw.table}: ${flaw.problem}`);
}
