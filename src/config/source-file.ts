import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** A small text file of the configuration, and whether other users of the machine may read it. */
export interface SourceFile {
  readonly text: string;
  readonly readableByAll: boolean;
}

/** No configuration and no key comes near this; a device or a log given by mistake does not fill the memory. */
const maxBytes = 1024 * 1024;

/** Times that a file that is being written is read again before it is given up. */
const mostTries = 10;

const openedByShell = /^\/(?:dev\/(?:stdin|fd\/)|proc\/)/;

/**
 * Reads a configuration or key file as UTF-8. Throws what the system says (`ENOENT`, `EACCES`, `EISDIR`), `EFBIG` over
 * 1 MiB, `EPIPE` for a named pipe, `ECHANGED` where it is written at the same time: half of a file is none.
 */
export function readSourceFile(path: string, triesLeft = mostTries): SourceFile {
  const status = statSync(path);
  // A named pipe that has no writer would be waited for without an end; one that the shell opened has a writer.
  if (status.isFIFO() && !openedByShell.test(path))
    throw Object.assign(new Error('a pipe'), { code: 'EPIPE' });
  const descriptor = openSync(path, 'r');
  try {
    const before = fstatSync(descriptor, { bigint: true });
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= maxBytes; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    if (length > maxBytes) throw Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' });
    const after = fstatSync(descriptor, { bigint: true });
    // Some file systems tell no size.
    const isWhole = after.size === 0n || after.size === BigInt(length);
    if (before.isFile() && !(isWhole && stampOf(before) === stampOf(after))) {
      if (triesLeft > 1) return readSourceFile(path, triesLeft - 1);
      throw Object.assign(new Error('changed meanwhile'), { code: 'ECHANGED' });
    }
    return {
      text: bytes.toString('utf8', 0, length),
      readableByAll: status.isFile() && (status.mode & 0o004) !== 0,
    };
  } finally {
    closeSync(descriptor);
  }
}

/** A text that changes whenever a file is written, replaced or removed; reading it is cheap. */
export function stampFile(path: string): string {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status === undefined ? '-' : stampOf(status);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

const wordsByCode: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  ENOTDIR: 'which does not exist',
  EACCES: 'which this user may not read',
  EPERM: 'which this user may not read',
  EISDIR: 'which is a directory',
  EPIPE: 'which is a pipe',
  EFBIG: 'which is larger than 1 MiB',
  ECHANGED: 'which changes while it is read',
};

/** Why a file could not be read, to be put behind its name: `which does not exist`. */
export function describeReadFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return wordsByCode[code] ?? `which cannot be read (${code})`;
}

/** The content of a file: a text to be used, or why it cannot be, as it follows the file's name. */
export type FileContent = { readonly text: string } | { readonly problem: string };

/** A file that is read again whenever it has changed. */
export interface FollowedFile {
  read(): string;
  /** Why the file cannot be used now, as it follows its name; undefined while its text is the one in use. */
  findProblem(): string | undefined;
}

/**
 * Reads a file each time it has changed. One that is being written, or is gone, leaves the text as it was.
 *
 * @param first the text as it was read at the start.
 * @param readContent throws what the system says.
 */
export function followFile(path: string, first: string, readContent: () => FileContent): FollowedFile {
  let text = first;
  let problem: string | undefined;
  let stamp = stampFile(path);
  const look = () => {
    const now = stampFile(path);
    if (now === stamp) return;
    stamp = now;
    try {
      const content = readContent();
      if ('text' in content) text = content.text;
      problem = 'problem' in content ? content.problem : undefined;
    } catch (error) {
      problem = describeReadFailure(error);
    }
  };
  return {
    read() {
      look();
      return text;
    },
    findProblem() {
      look();
      return problem;
    },
  };
}
