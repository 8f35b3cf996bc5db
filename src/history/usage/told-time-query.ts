import type { Database } from 'better-sqlite3';
import type { Granularity } from '../../resources/meter.ts';
import type { UsagePeriod } from '../../resources/usage/view.ts';
import type { SlotRow } from '../ledger/even-rest.ts';

/** A project that is metered, and when it was there as far as that is known; instants in epoch milliseconds. */
export interface MeteredLife {
  readonly account_ref: number;
  readonly created_at: number | null;
  readonly gone_at: number | null;
}

interface ToldTime {
  /** By hours and days, in order of time. */
  readonly stretches: readonly (UsagePeriod & { readonly granularity: Granularity })[];
  /** Nothing was told of later time. */
  readonly untilAt: number;
}

type StretchRow = ToldTime['stretches'][number];

/** Reads which time the meter told finely. What a month or a day came to besides was used in other time. */
export class ToldTimeQuery {
  readonly #statements;
  readonly #known = new Map<number, ToldTime>();

  constructor(database: Database) {
    this.#statements = {
      stretches: database.prepare<[number], StretchRow>(
        `SELECT granularity, from_at AS fromAt, until_at AS untilAt FROM meter_told
         WHERE account_ref = ? AND granularity <> 'monthly' ORDER BY from_at`,
      ),
      readAt: database
        .prepare<[number], number | null>('SELECT max(read_at) FROM meter_pass WHERE account_ref = ?')
        .pluck(),
    };
  }

  /**
   * The stretches of a month or day in which a project used what is not told of its slots: where it was there, and the slots
   * were not told. Where they all were, the newest may have grown since.
   *
   * @param by the granularities that tell of slots.
   * @returns at least one, in order of time.
   */
  untold(life: MeteredLife, { fromAt, slotMs, count }: SlotRow, by: readonly Granularity[]): UsagePeriod[] {
    const { stretches, untilAt } = this.#told(life.account_ref);
    const endAt = fromAt + count * slotMs;
    const whole = { fromAt, untilAt: untilAt > fromAt ? Math.min(endAt, untilAt) : endAt };
    const lived = {
      fromAt: Math.max(life.created_at ?? fromAt, fromAt),
      untilAt: Math.min(life.gone_at ?? whole.untilAt, whole.untilAt),
    };
    const own = lived.fromAt < lived.untilAt ? lived : whole;
    const left = stretches
      .filter(({ granularity }) => by.includes(granularity))
      .reduce<UsagePeriod[]>((rest, told) => rest.flatMap(each => leaveOut(each, told)), [own]);
    if (left.length > 0) return left;
    const lastSlotAt = fromAt + Math.floor((own.untilAt - 1 - fromAt) / slotMs) * slotMs;
    return [{ fromAt: Math.max(own.fromAt, lastSlotAt), untilAt: own.untilAt }];
  }

  #told(account_ref: number): ToldTime {
    const known = this.#known.get(account_ref);
    if (known !== undefined) return known;
    const stretches = this.#statements.stretches.all(account_ref);
    const readAt = this.#statements.readAt.get(account_ref) ?? Number.POSITIVE_INFINITY;
    const untilAt = stretches.reduce((latest, told) => Math.max(latest, told.untilAt), readAt);
    const found = { stretches, untilAt };
    this.#known.set(account_ref, found);
    return found;
  }
}

/** The parts of a stretch before and after another. */
function leaveOut(one: UsagePeriod, other: UsagePeriod): UsagePeriod[] {
  const before = { fromAt: one.fromAt, untilAt: Math.min(one.untilAt, other.fromAt) };
  const after = { fromAt: Math.max(one.fromAt, other.untilAt), untilAt: one.untilAt };
  return [before, after].filter(({ fromAt, untilAt }) => fromAt < untilAt);
}
