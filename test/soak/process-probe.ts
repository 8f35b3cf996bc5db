import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const mebibyte = 2 ** 20;

/** Memory of a process in RAM, in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / mebibyte;
}

/** Files that a process has open, and everything else with a descriptor but sockets: those come and go. */
export function countFiles(pid: number): number {
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
