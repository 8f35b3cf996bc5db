import { resolveLinks } from './file/alias.ts';
import { wasBrought } from './file/brought-file.ts';
import { openOrBeginAnew, type SetAside, saysHistory } from './file/damaged-file.ts';
import { HistoryError } from './file/history-error.ts';
import { History } from './history.ts';
import type { HistoryOptions } from './history-options.ts';
import { trySalvage } from './salvage/saved-history.ts';
import { examineHistory } from './soundness/examination.ts';

/** A copy of which parts are older than others. */
class TornCopy extends HistoryError {
  override readonly name = 'TornCopy';

  override get code(): string {
    return 'SQLITE_CORRUPT';
  }
}

/**
 * Opens a history for a daemon; a damaged one is set aside, and what can be saved of it goes on. A copy that was made by
 * other means than `backup`, while a daemon wrote, may be torn without anybody noticing, so all of one is looked at first.
 *
 * @param now epoch milliseconds by this host's clock.
 * @throws HistoryError when the file cannot be used; its message says what to do.
 */
export function openWhole(
  options: HistoryOptions,
  now: number,
): { readonly opened: History; readonly setAside?: SetAside } {
  const { file } = options;
  const path = resolveLinks(file);
  const isCopy = wasBrought(path);
  let isLookedAt = !(isCopy && saysHistory(path));
  const { opened, setAside } = openOrBeginAnew(file, {
    open() {
      const isFirst = !isLookedAt;
      isLookedAt = true;
      if (isFirst) refuseTorn(file);
      return new History({ ...options, ...(isCopy && { isCopy }) });
    },
    save: trySalvage,
    now,
  });
  if (setAside !== undefined) opened.noteSetAside(setAside);
  return { opened, ...(setAside && { setAside }) };
}

function refuseTorn(file: string): void {
  // A file that is none, or of a newer version, is refused when it is opened.
  const flaw = examineHistory(file).flaws.find(({ table }) => table !== undefined);
  if (flaw === undefined) return;
  throw new TornCopy(
    `the copy is torn, take the next one with "dbpm-exporter backup": ${flaw.table}: ${flaw.problem}`,
  );
}
