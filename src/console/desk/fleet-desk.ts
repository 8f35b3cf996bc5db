import { minuteMs } from '../../resources/duration.ts';
import type { Fleet } from '../page/fleet/fleet-join.ts';
import { isBusy, type Made, type Make, ReportCache, usualFreshMs } from './report-cache.ts';
import type { DeskWork } from './report-order.ts';

/** Figures that could not be worked out are tried again so late. */
const retryMs = minuteMs;
const key = 'projects';

/** Joins all projects with their figures, in another thread. */
export type MakeFleet = (asked: DeskWork['projects']['asked'], signal: AbortSignal) => Promise<Fleet>;

/**
 * Has all projects joined with their figures and keeps that for a while. At first there are the projects alone, and then all
 * figures of one instant.
 */
export class FleetDesk {
  readonly #make: MakeFleet;
  readonly #onFailure: (error: unknown) => void;
  readonly #cache: ReportCache<Fleet>;

  /**
   * @param onFailure told why figures cannot be worked out: all others are shown.
   * @param now epoch milliseconds.
   */
  constructor(make: MakeFleet, onFailure: (error: unknown) => void, now?: () => number) {
    this.#make = make;
    this.#onFailure = onFailure;
    this.#cache = new ReportCache(now);
  }

  /** @param gone aborted when the reader waits no longer, and will not ask again. */
  async read(gone?: AbortSignal): Promise<Fleet> {
    const make: Make<Fleet> = (now, signal, before) => this.#makeNext(now, signal, before);
    const known = await this.#cache.ask(key, make, gone);
    if (known.pending.length === 0) return known;
    return (await this.#cache.askNext(key, make, gone)) ?? known;
  }

  async #makeNext(now: number, signal: AbortSignal, before: Fleet | undefined): Promise<Made<Fleet>> {
    const fleet = await (before === undefined
      ? this.#make({ now, withFigures: false }, signal)
      : this.#makeWhole(now, signal));
    const freshMs = fleet.said.as_of === null ? 0 : usualFreshMs;
    return { value: fleet, cells: 0, freshMs: fleet.failed.length > 0 ? retryMs : freshMs };
  }

  async #makeWhole(now: number, signal: AbortSignal): Promise<Fleet> {
    try {
      const fleet = await this.#make({ now, withFigures: true }, signal);
      for (const { message } of fleet.failed) this.#onFailure(new Error(message));
      return fleet;
    } catch (error) {
      // Where too much is being made already, it is only late.
      if (isBusy(error) || signal.aborted) throw error;
      this.#onFailure(error);
      const { pending, ...alone } = await this.#make({ now, withFigures: false }, signal);
      return { ...alone, pending: [], failed: pending.map(name => ({ name, message: String(error) })) };
    }
  }
}
