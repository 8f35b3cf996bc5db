import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import { describeError } from '../log/error-record.ts';

/** Takes text as fast as it can be written. */
export type Write = (text: string) => Promise<void>;

/** Writes to stdout, no faster than it is read. */
export async function writeToStdout(io: Io, produce: (write: Write) => Promise<void>): Promise<void> {
  await produce(async text => {
    io.stdout(text);
    if (!(await io.stdoutTaken())) throw new Failure('the export was not read to its end');
  });
}

/** Writes to a file that gets its name only when it is whole. */
export async function writeToFile(
  file: string,
  isReplaced: boolean,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (existsSync(file) && !isReplaced)
    throw new Failure(`${file} exists: name another file, or replace it with --force`);
  const unfinished = `${file}.unfinished`;
  try {
    const descriptor = openSync(unfinished, 'w', 0o600);
    try {
      await produce(async text => {
        writeSync(descriptor, text);
      });
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      `${resolve(file)} cannot be written: ${describeError(error)}; name another file with --out`,
    );
  } finally {
    rmSync(unfinished, { force: true });
  }
}
