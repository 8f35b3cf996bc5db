import type { Reading } from '../resources/reading.ts';
import type { Activity } from './activity.ts';
import type { DamageWatch } from './damage-watch.ts';
import { listOwnFaults } from './own-fault.ts';
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
