import { renameSync, rmSync } from 'node:fs';

/** Files of SQLite beside a database that is not closed. */
const companions = ['', '-wal', '-shm', '-journal'];

/** A file under another name until it is whole, so that a broken one never replaces a good one; what is not named is removed. */
export class UnfinishedFile implements Disposable {
  readonly path: string;
  readonly #to: string;

  constructor(to: string) {
    this.#to = to;
    this.path = `${to}.unfinished`;
    this.#remove();
  }

  /** Gives it its name, once nobody has it open. */
  name(): void {
    renameSync(this.path, this.#to);
  }

  [Symbol.dispose](): void {
    this.#remove();
  }

  #remove(): void {
    for (const suffix of companions) rmSync(`${this.path}${suffix}`, { force: true });
  }
}

/**
 * Gives a copy its name only when it is whole.
 *
 * @param copy writes to the path it is given.
 * @returns what `copy` resolves to.
 */
export async function nameWhenWhole<Result>(
  to: string,
  copy: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  using file = new UnfinishedFile(to);
  const result = await copy(file.path);
  file.name();
  return result;
}
