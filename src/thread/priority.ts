import { getPriority, setPriority } from 'node:os';

/** How nice threads are to others, as `nice` counts: the higher, the less time they get where processors are short. */
export const niceness = {
  /** A third of what polling and scrapes get. */
  pages: 5,
  /** A fifth of what pages get. */
  reports: 12,
};

/**
 * Lets the work of other threads come before that of this one, where processors are short. Elsewhere than on Linux a thread has
 * no priority of its own, and where the system refuses it all threads are alike.
 */
export function lowerPriority(to: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(to, getPriority()));
  } catch {
    // Nothing but time depends on it.
  }
}
