import {
  failureStatuses,
  operationDurationFamilies,
  operationFamilies,
  stuckAfterMs,
} from '../../src/resources/operation.ts';
import { bucketsOf, labelList, type Matchers, type Metric } from '../promql.ts';
import { age, type CatalogLabel, growthIn, increaseInRange, scoped } from './scope.ts';
import { type Query, seriesBy } from './series.ts';

/** Ends that count as failure. */
export const failed = { status: { matches: failureStatuses.join('|') } } as const;

/** Operations that ended in failure within the time range; whole, though Prometheus extrapolates. */
export const failuresInRange = `round(sum(${increaseInRange(operationFamilies.ended, failed)}))`;

/** How long the oldest unfinished operation of each project has been waiting, in seconds. */
export const oldestAge = age(operationFamilies.oldestInProgressTimestamp);

/** Age in seconds from which an unfinished operation is called stuck. */
export const stuckAfterSeconds = stuckAfterMs / 1000;

/** Quantile of the durations of the operations that ended, by action, in seconds; nothing where none ended. */
export function durationQuantile(quantile: number, over: '1h' | '$__range'): string {
  const buckets = bucketsOf(operationDurationFamilies.duration);
  const increase = `sum ${labelList('by', buckets, 'action', 'le')} (increase(${scoped(buckets)}[${over}]))`;
  return `max ${labelList('by', buckets, 'action')} (histogram_quantile(${quantile}, ${increase})) >= 0`;
}

/** Growth of a counter in the hour before each moment, by a label; nothing where it did not grow. */
export function hourlyGrowth<Label extends CatalogLabel>(
  metric: Metric<Label>,
  by: NoInfer<Label>,
  matchers?: Matchers<NoInfer<Label>>,
): Query {
  const { expression, legend } = seriesBy('sum', metric, [by], growthIn('1h', metric, matchers));
  return { expression: `${expression} > 0`, legend };
}
