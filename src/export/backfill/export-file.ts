import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UnfinishedFile } from '../../history/file/whole-file.ts';
import { describeError } from '../../log/error-record.ts';
import { Failure } from '../../resources/failure.ts';
import type { BlockStretch } from './export-instant.ts';

/** The program that makes blocks of text; it comes with Prometheus. */
const promtool = 'promtool';

/**
 * Makes blocks of a time-series database, one stretch after the other: only the text of one is on the disk at a time. The
 * blocks get into the folder when all are made.
 *
 * @param produce writes the text of a stretch, and tells whether it has a sample.
 * @throws Failure when promtool is missing or fails, or when the folder cannot be written.
 */
export async function writeBlocks(
  folder: string,
  stretches: Iterable<BlockStretch>,
  produce: (stretch: BlockStretch, write: Write) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  await runPromtool(['--version'], signal);
  const workFolder = makeWorkFolder(folder);
  try {
    const made = join(workFolder, 'blocks');
    const file = join(workFolder, 'past.om');
    for (const stretch of stretches) {
      let hasSamples = false;
      await writeExportFile(file, true, async write => {
        hasSamples = await produce(stretch, write);
      });
      if (hasSamples) await makeBlock(file, made, stretch.blockMs, signal);
      rmSync(file);
    }
    mkdirSync(made, { recursive: true });
    for (const block of readdirSync(made)) renameSync(join(made, block), join(folder, block));
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

/** In the folder itself, so that blocks are moved and not copied. */
function makeWorkFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    return mkdtempSync(join(folder, '.dbpm-export-'));
  } catch (error) {
    throw new Failure(
      `${resolve(folder)} cannot be written: ${describeError(error)}; name another folder with --blocks`,
    );
  }
}

async function makeBlock(file: string, folder: string, blockMs: number, signal: AbortSignal): Promise<void> {
  const length = `--max-block-duration=${blockMs}ms`;
  await runPromtool(['tsdb', 'create-blocks-from', '--quiet', length, 'openmetrics', file, folder], signal);
}

async function runPromtool(args: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(promtool, args, { signal });
  } catch (error) {
    throw describeFault(error, signal);
  }
}

function describeFault(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return new Failure('the export was told to stop before its end');
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return new Failure(
      'promtool makes the blocks and is not there: it comes with Prometheus, add its folder to PATH; or write text, without --blocks',
    );
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return new Failure(`promtool could not make a block: ${said.split('\n').at(-1) || describeError(error)}`);
}

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
