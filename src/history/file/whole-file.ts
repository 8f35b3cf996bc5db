import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/**
 * Writes a file that has its name only once all of it is on the disk; only its owner may read it.
 *
 * @throws the system's error when it cannot be written; what was there stays.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  using file = new UnfinishedFile(path);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const descriptor = openSync(file.path, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  file.name();
}

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

  /** Gives it its name, once it is closed. */
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
