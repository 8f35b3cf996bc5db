import { accessSync } from 'node:fs';

/** Whether this user may use a path so: `constants.R_OK` and the like. */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
