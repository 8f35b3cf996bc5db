import type { Database } from 'better-sqlite3';
import type { MeterAmounts } from '../../resources/meter.ts';
import type { ConsumptionReading, ConsumptionRefusal, MeterState } from '../../resources/reading.ts';
import { MeterAmountRecord, type MeterNews } from './meter-amount-record.ts';
import { MeterPassRecord } from './meter-pass-record.ts';

/** The changes by a page of the meter. */
export interface MeterChanges {
  /** What projects were metered ever, of those whose amounts are shown anew: once all of the past is read, and as they grow. */
  readonly totals: ReadonlyMap<string, MeterAmounts>;
  /** Values and timeframes that could not be used. */
  readonly lost: number;
}

/** Writes the ledger of the service's own meter; all calls happen inside the transaction of one reading. */
export class MeterRecord {
  readonly #amounts: MeterAmountRecord;
  readonly #passes: MeterPassRecord;

  constructor(database: Database) {
    this.#amounts = new MeterAmountRecord(database);
    this.#passes = new MeterPassRecord(database);
  }

  /** The state from which the next reading goes on; undefined before the first. */
  state(account_ref: number): MeterState | undefined {
    return this.#passes.state(account_ref);
  }

  /** Records a page: reading it again changes nothing. */
  recordPage(account_ref: number, reading: ConsumptionReading): MeterChanges {
    const { granularity, servedAt, items, end } = reading;
    this.#passes.enter(account_ref, reading);
    const wasImporting = this.#passes.isImporting(account_ref);
    this.#amounts.begin();
    const totals = new Map<string, MeterAmounts>();
    const page: { growingFromAt?: number; toldUntilAt?: number } = {};
    let lost = 0;
    for (const item of items) {
      const news = this.#amounts.record({ account_ref, granularity, servedAt }, item);
      lost += item.lost + news.lost;
      if (news.total !== undefined) totals.set(item.project_id, news.total);
      follow(page, news);
    }
    this.#amounts.addUp(account_ref);
    this.#passes.notePage(account_ref, granularity, page);
    if (end !== undefined) this.#passes.noteEnd(account_ref, reading);
    if (!wasImporting) return { totals, lost };
    return {
      totals: this.#passes.isImporting(account_ref) ? new Map() : this.#amounts.totals(account_ref),
      lost,
    };
  }

  /** Takes note that the meter is going to be asked for, so that nothing is shown that it will change. */
  await(account_ref: number, servedAt: number): void {
    this.#passes.await(account_ref, servedAt);
  }

  /** @returns whether the service offered its meter before. */
  recordRefusal(account_ref: number, refusal: ConsumptionRefusal): boolean {
    const passes = Object.values(this.state(account_ref)?.passes ?? {});
    this.#passes.enter(account_ref, refusal);
    return passes.some(({ readAt }) => readAt !== undefined);
  }
}

function follow(page: { growingFromAt?: number; toldUntilAt?: number }, news: MeterNews): void {
  const { growingFromAt, toldUntilAt } = news;
  if (growingFromAt !== undefined)
    page.growingFromAt = Math.min(growingFromAt, page.growingFromAt ?? growingFromAt);
  if (toldUntilAt !== undefined) page.toldUntilAt = Math.max(toldUntilAt, page.toldUntilAt ?? 0);
}
