import { closeSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeWhole } from '../../history/file/whole-file.ts';
import { describeError } from '../../log/error-record.ts';
import { Failure } from '../../resources/failure.ts';

/**
 * Writes a file of an export whole, in a folder that is made where it is not there: also after a crash it is there.
 *
 * @throws Failure when it cannot be written; nothing of it is left then.
 */
export function writeWholeFile(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path, content);
    syncFolder(folder);
  } catch (cause) {
    throw new Failure(
      `${path} cannot be written: ${describeError(cause)}; what is there is whole, and the next export goes on from there`,
    );
  }
}

/** Removes a file of an export, if it is there. @throws Failure when it cannot be removed. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new Failure(`${path} cannot be removed: ${describeError(cause)}; remove it, and export again`);
  }
}

/** Has the names in a folder written to the disk. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
