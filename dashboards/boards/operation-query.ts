import { operationDurationFamilies, operationFamilies, stuckAfterMs } from '../../src/resources/operation.ts';
import { labelList } from '../promql.ts';
import { age, increaseInRange, rate, scopedPart } from './scope.ts';

/** Ends that count as failure: as the specification and live services call them. */
export const failed = { status: { matches: 'failed|error|cancelled' } } as const;

/** Operations that ended in failure within the time range; whole, though Prometheus extrapolates. */
export const failuresInRange = `round(sum(${increaseInRange(operationFamilies.ended, failed)}))`;

/** How long the oldest unfinished operation of each project has been waiting, in seconds. */
export const oldestAge = age(operationFamilies.oldestInProgressTimestamp);

/** Age in seconds from which an unfinished operation is called stuck. */
export const stuckAfterSeconds = stuckAfterMs / 1000;

/** Quantile of the durations of the operations that ended, by action, in seconds; nothing where none ended. */
export function durationQuantile(quantile: number, over: 'now' | 'range'): string {
  const by = labelList('by', operationDurationFamilies.duration, 'action', 'le');
  const buckets = scopedPart(operationDurationFamilies.duration, 'bucket');
  const growth = over === 'now' ? `rate(${buckets}[$__rate_interval])` : `increase(${buckets}[$__range])`;
  const quantiles = `histogram_quantile(${quantile}, sum ${by} (${growth}))`;
  return `max ${labelList('by', operationDurationFamilies.duration, 'action')} (${quantiles}) >= 0`;
}

/** Operations a minute that reached an end, by a label. */
export function endedPerMinute(by: 'action' | 'status'): string {
  return `60 * sum ${labelList('by', operationFamilies.ended, by)} (${rate(operationFamilies.ended)})`;
}
