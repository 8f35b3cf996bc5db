import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAlias, resolveLinks } from './alias.ts';
import { wasHistory } from './damaged-file.ts';
import { applicationId, applicationIdAt, refuseVersion } from './format.ts';
import { isSeveral, listHistories } from './history-list.ts';
import { isAllowed } from './reader.ts';

/** Offsets in SQLite's header ("Database File Format", 1.3). */
const headerBytes = 100;
const userVersionAt = 60;

/**
 * Looks whether a start could use the file, without opening it as a database or changing anything.
 *
 * @returns undefined when it could, else a clause that begins with "which" and says what to do.
 */
export function checkHistoryFile(file: string): string | undefined {
  if (isSeveral(file)) return 'which are several files: a daemon writes one, name it alone';
  if (isLoop(file)) return loop;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return checkName(file) ?? checkFolder(dirname(file));
  // A start sets a damaged history aside.
  const clause = stat.isFile() && isDamagedHistory(file) ? checkName(file) : checkReadable(file);
  if (clause !== undefined) return clause;
  if (!isAllowed(file, constants.R_OK | constants.W_OK)) {
    return 'which this user may not read and write: change its rights or name another file';
  }
  const alias = findAlias(resolveLinks(file));
  return alias === undefined ? undefined : `which ${alias}`;
}

/** As `checkHistoryFile`, for what reads a history and writes nothing; without one there is nothing to object to. */
export function checkReadableHistory(given: string): string | undefined {
  if (!isSeveral(given)) return checkReadable(given);
  const files = listHistories(given);
  if (files.length === 0) return 'a pattern that matches no file: correct it, or name a file that is there';
  for (const file of files) {
    const clause = existsSync(file) ? checkReadable(file) : 'which is not there: name a file that is';
    if (clause !== undefined) return `of which ${file} is one ${clause}`;
  }
  return undefined;
}

const loop = 'which is a symbolic link that leads back to itself: name a file';

function isLoop(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP';
  }
}

function checkReadable(file: string): string | undefined {
  if (isLoop(file)) return loop;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return checkName(file);
  if (!stat.isFile()) return 'which is not a file: name a file';
  if (!isAllowed(file, constants.R_OK)) {
    return 'which this user may not read: change its rights or name another file';
  }
  return checkName(file) ?? (stat.size === 0 ? undefined : checkHeader(file));
}

/** SQLite would take these for something else than the path of a file. */
function checkName(file: string): string | undefined {
  if (file.trim() !== file) return 'which begins or ends with a blank: write the path without it';
  if (file === ':memory:') return 'which keeps nothing: name a file';
  return file.startsWith('file:') ? 'which is a URI: write the path of the file alone' : undefined;
}

function checkFolder(folder: string): string | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return checkFolder(dirname(folder));
  return stat.isDirectory() && isAllowed(folder, constants.W_OK | constants.X_OK)
    ? undefined
    : `which cannot be created: ${folder} is no folder this user may write to`;
}

function isDamagedHistory(file: string): boolean {
  return isAllowed(file, constants.R_OK) && checkHeader(file) === notSqlite && wasHistory(file);
}

const notSqlite = 'which is no history: name another file, or restore it from a backup';

function checkHeader(file: string): string | undefined {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, headerBytes, 0);
  } finally {
    closeSync(descriptor);
  }
  if (!header.toString('latin1').startsWith('SQLite format 3\0')) {
    return notSqlite;
  }
  const version = header.readUInt32BE(userVersionAt);
  const application = header.readUInt32BE(applicationIdAt);
  // Right after its creation the header may still be in the write-ahead log alone.
  if (application === 0 && version === 0) return undefined;
  if (application !== applicationId) return 'which is a database of another program: name another file';
  const clause = refuseVersion(version);
  return clause && `which ${clause}`;
}
