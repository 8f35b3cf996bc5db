import { getPriority, setPriority } from 'node:os';

/**
 * How nice threads are to others, as `nice` counts. Where processors are short, pages get half of the time that polling and
 * scrapes get, and reports a fourteenth: what is shown meanwhile is what was made before.
 */
export const niceness = { pages: 3, reports: 12 };

/**
 * Lets the work of other threads come before that of this one. Elsewhere than on Linux a thread has no priority of its own, and
 * where the system refuses it all threads are alike.
 */
export function lowerPriority(to: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(to, getPriority()));
  } catch {
    // Nothing but time depends on it.
  }
}
