import { readFileSync, statSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { hasOpened } from './opened-file.ts';

const lockTable = '/proc/locks';
/** The byte of the shared memory that whoever writes has locked ("WAL-mode File Format", 2.3.1). */
const writeLockAt = 120;
/** `6: POSIX  ADVISORY  WRITE 4711 08:02:131073 120 120` (proc_locks(5)). */
const writeLock =
  /POSIX\s+ADVISORY\s+WRITE\s+(?<pid>\d+)\s+[\da-f]+:[\da-f]+:(?<inode>\d+)\s+(?<from>\d+)\s+(?<until>\d+)/;
/** The state comes after the name, which may hold anything (proc_pid_stat(5)): `T` is stopped. */
const stoppedState = /\) [Tt] /;

/**
 * Finds a process that was stopped in the midst of writing a history: it holds the file, so that nobody can write beside
 * it until it goes on or ends.
 *
 * @returns its id; undefined where there is none, or where the system does not tell (another host, container or system).
 */
export function findStoppedWriter(file: string): number | undefined {
  const shared = statSync(`${resolveLinks(file)}-shm`, { throwIfNoEntry: false });
  if (shared === undefined) return undefined;
  const pids = read(lockTable)
    .split('\n')
    .map(line => writeLock.exec(line)?.groups)
    .filter(found => found !== undefined && Number(found.inode) === shared.ino)
    .filter(found => Number(found?.from) <= writeLockAt && Number(found?.until) >= writeLockAt)
    .map(found => Number(found?.pid));
  return pids.find(pid => pid > 0 && stoppedState.test(read(`/proc/${pid}/stat`)) && hasOpened(pid, shared));
}

/** Empty where it cannot be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
