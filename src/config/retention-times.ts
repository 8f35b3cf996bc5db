import type { Config } from './config.ts';

/** How long the history keeps rows of each kind, in milliseconds. */
export function retentionTimes({
  keepSamplesMs,
  keepHoursMs,
  keepDaysMs,
  keepOperationsMs,
}: Config['history']) {
  return {
    samples: keepSamplesMs,
    hours: keepHoursMs,
    days: keepDaysMs,
    operations: keepOperationsMs,
  };
}
