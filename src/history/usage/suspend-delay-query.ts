import type { Database } from 'better-sqlite3';
import { secondMs } from '../../resources/duration.ts';
import type { DatedDelay } from '../../resources/endpoint-history.ts';

interface DatedSeconds {
  readonly fromAt: number;
  /** Null where it was not sent. */
  readonly seconds: number | null;
}

/** Reads the auto-suspend delays of endpoints, as the service reported them. */
export class SuspendDelayQuery {
  readonly #ofEndpoint;
  readonly #byDefault;

  constructor(database: Database) {
    this.#ofEndpoint = database.prepare<[number, number], DatedSeconds>(
      `SELECT from_at AS fromAt, value AS seconds FROM endpoint_change
       WHERE endpoint_ref = ? AND field = 'suspend_timeout_seconds' AND from_at < ? ORDER BY from_at`,
    );
    this.#byDefault = database.prepare<[number, number], DatedSeconds>(
      `SELECT from_at AS fromAt, value AS seconds FROM project_change
       WHERE project_ref = ? AND field = 'default_suspend_timeout_seconds' AND from_at < ? ORDER BY from_at`,
    );
  }

  /** Delays of an endpoint of a project before an instant, each from when on it was known; undefined if none was sent. */
  read(project_ref: number, endpoint_ref: number, untilAt: number): readonly DatedDelay[] | undefined {
    const own = this.#ofEndpoint.all(endpoint_ref, untilAt);
    if (own.length === 0) return undefined;
    const defaults = own.some(({ seconds }) => seconds === 0)
      ? this.#byDefault.all(project_ref, untilAt)
      : [];
    return own.flatMap((entry, index) => {
      const endAt = own[index + 1]?.fromAt ?? untilAt;
      const spans = entry.seconds === 0 ? resolveDefault(entry.fromAt, endAt, defaults) : [entry];
      return spans.map(readDelay);
    });
  }
}

/** The defaults that were in force in a stretch, the first from its beginning on. */
function resolveDefault(
  fromAt: number,
  untilAt: number,
  defaults: readonly DatedSeconds[],
): readonly DatedSeconds[] {
  const first = defaults.findLast(each => each.fromAt <= fromAt);
  const later = defaults.filter(each => each.fromAt > fromAt && each.fromAt < untilAt);
  return [{ fromAt, seconds: first?.seconds ?? null }, ...later];
}

/** A default of 0 is that of the plan, which is not known; -1 is never ("Auto-suspend value" in the specification). */
function readDelay({ fromAt, seconds }: DatedSeconds): DatedDelay {
  if (seconds === null || seconds === 0) return { fromAt };
  return { fromAt, delayMs: seconds < 0 ? Number.POSITIVE_INFINITY : seconds * secondMs };
}
