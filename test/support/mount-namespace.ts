import { execFileSync } from 'node:child_process';

/** Whether this user may mount something for a process alone. */
export function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The words of a command that mounts something for itself alone, and then is the program its further words name. */
export function withMount(mount: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
}
