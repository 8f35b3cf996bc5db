import { dayMs } from '../../resources/duration.ts';
import type { RetentionKind, RetentionTimes } from '../upkeep/retention.ts';

/** The figures of a fleet that decide how large its history gets. */
interface RecordedFleet {
  readonly projects: number;
  readonly endpoints: number;
  /** Part of the time a project has something running, 0 to 1. */
  readonly busyShare: number;
  readonly operationsPerDay: number;
  /** Time from one list of projects to the next. */
  readonly listPollMs: number;
  /** Whether the service's own meter is read. */
  readonly isMetered?: boolean;
}

/** Bytes of a row with its share of indexes, as measured of a history of 30 projects over two weeks. */
const rowBytes = {
  sample: 19.5,
  interval: 48,
  use: 28,
  hour: 17,
  day: 25,
  operation: 216,
  project: 2000,
  meteredHour: 46,
  meteredDay: 80,
};

/** Pages of a table that rows come into all over are four fifths full. */
const pageFill = 0.8;

/** Two in three operations are starts and suspends, in pairs; use in an hour makes a row. */
const startsPerOperation = 1 / 3;
const hoursPerStart = 1.5;

/** Bytes of a history by what it holds, once everything is as old as it is kept. */
export function estimateHistoryBytes(
  fleet: RecordedFleet,
  keep: RetentionTimes,
): Readonly<Record<RetentionKind | 'present', number>> {
  const { projects, endpoints, busyShare, operationsPerDay, listPollMs } = fleet;
  const starts = operationsPerDay * startsPerOperation;
  const samples = (projects * busyShare * dayMs) / listPollMs;
  const hours = Math.min(24 * projects, starts * hoursPerStart + 24 * busyShare * projects);
  const metered = fleet.isMetered ? projects : 0;
  const dailyBytes = {
    samples: samples * rowBytes.sample + starts * (2 * rowBytes.interval + rowBytes.use),
    hours: hours * rowBytes.hour + 24 * metered * rowBytes.meteredHour,
    days: (projects + endpoints) * rowBytes.day + metered * rowBytes.meteredDay,
    operations: operationsPerDay * rowBytes.operation,
  };
  const size = (kind: RetentionKind) => ((dailyBytes[kind] / pageFill) * keep[kind]) / dayMs;
  return {
    samples: size('samples'),
    hours: size('hours'),
    days: size('days'),
    operations: size('operations'),
    present: projects * rowBytes.project,
  };
}
