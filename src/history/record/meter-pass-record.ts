import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import type { Granularity } from '../../resources/meter.ts';
import type {
  ConsumptionReading,
  ConsumptionRefusal,
  MeterPass,
  MeterState,
} from '../../resources/reading.ts';
import type { MeterNews } from './meter-amount-record.ts';

/** Timeframes are read again until they did not grow any more, and at least for so long after they began. */
const leastSettlingMs: Readonly<Record<Granularity, number>> = {
  hourly: 12 * hourMs,
  daily: 3 * dayMs,
  monthly: 41 * dayMs,
};

interface PassRow {
  readonly granularity: Granularity;
  readonly settled_until_at: number | null;
  readonly read_at: number | null;
}

/** Writes how far the meter is read; all calls happen inside the transaction of one reading. */
export class MeterPassRecord {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = {
      account: database.prepare<[number], { scope: string; refused_at: number | null }>(
        'SELECT scope, refused_at FROM metered_account WHERE account_ref = ?',
      ),
      enter: database.prepare<[number, string, number | null]>(
        `INSERT INTO metered_account (account_ref, scope, refused_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET scope = excluded.scope, refused_at = excluded.refused_at`,
      ),
      forget: database.prepare<[number]>('DELETE FROM meter_pass WHERE account_ref = ?'),
      passes: database.prepare<[number], PassRow>(
        'SELECT granularity, settled_until_at, read_at FROM meter_pass WHERE account_ref = ?',
      ),
      note: database.prepare<[number, Granularity, number | null, number | null]>(
        `INSERT INTO meter_pass (account_ref, granularity, growing_from_at, told_until_at) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET
           growing_from_at = min(coalesce(growing_from_at, excluded.growing_from_at),
             coalesce(excluded.growing_from_at, growing_from_at)),
           told_until_at = max(coalesce(told_until_at, excluded.told_until_at),
             coalesce(excluded.told_until_at, told_until_at))`,
      ),
      settle: database.prepare<
        [{ readonly mostAt: number; readonly account_ref: number; readonly granularity: Granularity }]
      >(
        `UPDATE meter_pass SET settled_until_at = min(coalesce(growing_from_at, @mostAt), @mostAt),
           growing_from_at = NULL WHERE account_ref = @account_ref AND granularity = @granularity`,
      ),
      read: database.prepare<[number, number, Granularity]>(
        'UPDATE meter_pass SET read_at = ? WHERE account_ref = ? AND granularity = ?',
      ),
      until: database.prepare<[number]>(
        `UPDATE metered_account SET metered_until_at = (SELECT max(told_until_at) FROM meter_pass
           WHERE meter_pass.account_ref = metered_account.account_ref AND read_at IS NOT NULL)
         WHERE account_ref = ?`,
      ),
    };
  }

  /** The state from which the next reading goes on; undefined before the first. */
  state(account_ref: number): MeterState | undefined {
    const account = this.#statements.account.get(account_ref);
    if (account === undefined) return undefined;
    const { scope, refused_at } = account;
    const passes = this.#statements.passes
      .all(account_ref)
      .map(row => [row.granularity, passOf(row)] as const);
    return { scope, passes: Object.fromEntries(passes), ...compact({ refusedAt: refused_at ?? undefined }) };
  }

  /** Takes note that the service tells of a part of the account, or does not. */
  enter(account_ref: number, reading: ConsumptionReading | ConsumptionRefusal): void {
    const { scope } = reading;
    if (this.#statements.account.get(account_ref)?.scope !== scope) this.#statements.forget.run(account_ref);
    const refusedAt = reading.kind === 'consumption_refused' ? reading.readAt : null;
    this.#statements.enter.run(account_ref, scope, refusedAt);
  }

  notePage(
    account_ref: number,
    granularity: Granularity,
    { growingFromAt = null, toldUntilAt = null }: Nullable<Pick<MeterNews, 'growingFromAt' | 'toldUntilAt'>>,
  ): void {
    this.#statements.note.run(account_ref, granularity, growingFromAt, toldUntilAt);
  }

  /** Takes note that the last page was read; what could not be read whole is read again. */
  noteEnd(account_ref: number, { granularity, servedAt, readAt, end }: ConsumptionReading): void {
    // What has no id cannot be counted the next time either.
    const isWhole = end?.complete || (end?.rejected ?? 0) > 0;
    this.#statements.read.run(readAt, account_ref, granularity);
    if (!isWhole) return;
    const mostAt = servedAt - leastSettlingMs[granularity];
    this.#statements.settle.run({ mostAt, account_ref, granularity });
    this.#statements.until.run(account_ref);
  }
}

type Nullable<Shape> = { readonly [Key in keyof Shape]: Shape[Key] | null };

function passOf({ settled_until_at, read_at }: PassRow): MeterPass {
  return compact({ settledUntilAt: settled_until_at ?? undefined, readAt: read_at ?? undefined });
}
