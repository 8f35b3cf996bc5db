import { readdirSync, type Stats, statSync } from 'node:fs';

/** Whether a process has opened a file; false where the system does not tell (another host, container, user or system). */
export function hasOpened(pid: number, { dev, ino }: Stats): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some(name => {
      const opened = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return opened?.dev === dev && opened.ino === ino;
    });
  } catch {
    return false;
  }
}
