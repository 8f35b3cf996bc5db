import type { Collector } from '../resources/collector.ts';
import type { FailedReading, Reading } from '../resources/reading.ts';
import type { Activity } from './activity.ts';
import type { DamageWatch } from './damage-watch.ts';
import type { ReadingLog } from './reading-log.ts';
import { readingOnHostClock, type SteadyClock } from './steady-clock.ts';

interface RecordParts {
  readonly clock: SteadyClock;
  readonly readings: ReadingLog;
  readonly activity: Activity;
  readonly damage: DamageWatch;
  readonly countFailure: () => void;
  /** Takes a failure that the history is to know of. */
  readonly recordFault: (fault: Reading) => Promise<unknown>;
}

/**
 * Has readings written, and what becomes of them told: in the log, in metrics, and to the history itself where it did not
 * take one.
 *
 * @param write takes a reading that is dated by the host's clock.
 */
export function recordReadings<Result>(
  write: (reading: Reading) => Promise<Result>,
  { clock, readings, activity, damage, countFailure, recordFault }: RecordParts,
): (reading: Reading) => Promise<Result> {
  return async reading => {
    try {
      const result = await write(readingOnHostClock(reading, clock));
      readings.noteRecorded(reading);
      activity.noteReading(reading);
      return result;
    } catch (error) {
      countFailure();
      damage.look(error);
      readings.noteLost(error);
      for (const fault of listOwnFaults(reading, error)) {
        await recordFault(readingOnHostClock(fault, clock)).catch(() => {});
      }
      throw error;
    }
  };
}

/**
 * The failures to record for a reading that the history did not take: none where the disk or the database refused it,
 * which its error names by a code, and for a failure itself.
 */
function listOwnFaults(reading: Reading, error: unknown): readonly FailedReading[] {
  const isRefused = error instanceof Error && 'code' in error && error.code !== undefined;
  if (isRefused || reading.kind === 'failure') return [];
  const { account, readAt, durationMs } = reading;
  const moment = { account, readAt, servedAt: readAt, durationMs };
  const project = 'project_id' in reading ? { project_id: reading.project_id } : {};
  return collectorsOf(reading).map(collector => ({
    kind: 'failure',
    collector,
    reason: 'internal',
    ...moment,
    ...project,
    ...(reading.kind === 'project_usage' && { ofUse: true }),
  }));
}

function collectorsOf(reading: Exclude<Reading, FailedReading>): readonly Collector[] {
  switch (reading.kind) {
    case 'project':
      return (['endpoints', 'operations'] as const).filter(collector => reading[collector] !== undefined);
    case 'operation_import':
      return ['operations'];
    case 'api_keys':
      return ['api_keys'];
    case 'project_part':
      return [reading.collector];
    case 'consumption':
    case 'consumption_refused':
      return ['consumption'];
    default:
      return ['projects'];
  }
}
