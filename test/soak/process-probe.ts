import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const mebibyte = 2 ** 20;

/** Memory of a process in RAM, in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / mebibyte;
}

const looks = 20;
const lookPauseMs = 50;

/** Files that a process has open at rest: some are open for a moment only, as one that is read anew is. */
export async function countRestingFiles(pid: number): Promise<number> {
  let fewest = countFiles(pid);
  for (let look = 1; look < looks; look += 1) {
    await sleep(lookPauseMs);
    fewest = Math.min(fewest, countFiles(pid));
  }
  return fewest;
}

/** Files that a process has open, and everything else with a descriptor but sockets: those come and go. */
function countFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter(fd => !readLink(`/proc/${pid}/fd/${fd}`).startsWith('socket:'))
    .length;
}

/** Empty where it was just closed. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'socket:';
  }
}
