import { existsSync, rmSync } from 'node:fs';
import { inodeOf, resolveLinks } from './file/alias.ts';
import { listBackups } from './file/backup.ts';
import { type SetAside, saysHistory, setAsideDamaged, suspicionOf, wasHistory } from './file/damaged-file.ts';
import { DamagedHistory, isDamage } from './file/history-error.ts';
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
  const isCopy = wasBrought(path);
  // Without a backup a history with a damaged part is better than none.
  const isSuspect = existsSync(suspicionOf(path)) && backups.length > 0;
  const isKnown = wasHistory(file);
  const ino = inodeOf(path);
  let opened: History;
  let setAside: SetAside | undefined;
  try {
    if ((isCopy || isSuspect) && saysHistory(path)) refuseDamaged(file);
    opened = new History({ ...options, ...(isCopy && { isCopy }) });
  } catch (error) {
    if (!isKnown || !isDamage(error)) throw error;
    setAside = setAsideDamaged(file, { error, ino }, backups, now);
    opened = new History({ ...options, ...(setAside.backup && { isCopy: true }) });
  }
  if (isSuspect) rmSync(suspicionOf(path), { force: true });
  if (setAside !== undefined) opened.noteSetAside(setAside);
  return { opened, ...(setAside && { setAside }) };
}

function refuseDamaged(file: string): void {
  // A file that is none, or of a newer version, is refused when it is opened.
  const flaw = examineHistory(file).flaws.find(({ table }) => table !== undefined);
  if (flaw !== undefined) throw new DamagedHistory(`${flaw.table}: ${flaw.problem}`);
}
