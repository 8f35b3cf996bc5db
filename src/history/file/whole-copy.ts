import { renameSync, rmSync } from 'node:fs';

/** Files of SQLite beside a database that is not closed. */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * Gives a copy its name only when it is whole, so that a broken one never replaces a good one; removes the rest of one that
 * was not finished.
 *
 * @param copy writes to the path it is given.
 * @returns what `copy` resolves to.
 */
export async function nameWhenWhole<Result>(
  to: string,
  copy: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${to}.unfinished`;
  const removeRest = () => {
    for (const suffix of companions) rmSync(`${unfinished}${suffix}`, { force: true });
  };
  removeRest();
  try {
    const result = await copy(unfinished);
    renameSync(unfinished, to);
    return result;
  } finally {
    removeRest();
  }
}
