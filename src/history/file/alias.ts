import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** The file itself, whatever links lead to it; the path as it is where there is no file yet. */
export function resolveLinks(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Tells the file at a path from another one in its place; undefined where there is none. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/**
 * Looks whether the file may be written under another name too. SQLite has a write-ahead log for each name: two daemons
 * would not see what the other one writes.
 *
 * @param file as `resolveLinks` gives it.
 * @returns undefined when it has one name, else a clause that begins with a verb and says what to do.
 */
export function findAlias(file: string): string | undefined {
  const { nlink = 1 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (nlink > 1) {
    return `has ${nlink} names (hard links), under which others may write it: remove the other ones, or copy it with "dbpm-exporter backup"`;
  }
  return isMountPoint(file)
    ? 'is mounted as a file, without the files beside it: mount its folder'
    : undefined;
}

const mountTable = '/proc/self/mountinfo';
/** The field with the mount point (proc_pid_mountinfo(5)). */
const mountPointAt = 4;

function isMountPoint(file: string): boolean {
  if (!existsSync(mountTable)) return false;
  const mounts = readFileSync(mountTable, 'utf8').split('\n');
  return mounts.some(line => unescapeOctal(line.split(' ')[mountPointAt] ?? '') === file);
}

/** Blanks and the like are written as three octal digits. */
function unescapeOctal(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
