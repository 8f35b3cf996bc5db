import { getPriority, setPriority } from 'node:os';

/** As `nice` counts: beside a usual thread on the same processor, such a one gets a quarter of its time. */
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
