import { execFileSync } from 'node:child_process';

/** Whether a program of the system can be started. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
