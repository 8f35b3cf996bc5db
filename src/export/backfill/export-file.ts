import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnfinishedFile } from '../../history/file/whole-copy.ts';
import { describeError } from '../../log/error-record.ts';
import { Failure } from '../../resources/failure.ts';

/** Takes text as fast as it can be written. */
export type Write = (text: string) => Promise<void>;

/**
 * Writes to a file that gets its name only when it is whole; only its owner may read it.
 *
 * @param isReplaced whether a file of that name may be there.
 * @throws Failure when it may not, or when the file cannot be written.
 */
export async function writeExportFile(
  file: string,
  isReplaced: boolean,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (existsSync(file) && !isReplaced)
    throw new Failure(`${file} exists: name another file, or replace it with --force`);
  try {
    using unfinished = new UnfinishedFile(file);
    const descriptor = openSync(unfinished.path, 'w', 0o600);
    try {
      await produce(async text => {
        writeSync(descriptor, text);
      });
    } finally {
      closeSync(descriptor);
    }
    unfinished.name();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      `${resolve(file)} cannot be written: ${describeError(error)}; name another file with --out`,
    );
  }
}
