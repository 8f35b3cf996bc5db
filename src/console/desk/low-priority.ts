import { getPriority, setPriority } from 'node:os';

/** A thread of it gets a third of a processor that another one wants as well. */
const lowPriority = 5;

/**
 * Lets the polling, scrapes and pages come before the work of this thread, where processors are short. Elsewhere than on Linux a
 * thread has no priority of its own, and where the system refuses it all threads are alike.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(lowPriority, getPriority()));
  } catch {
    // Nothing but time depends on it.
  }
}
