import type { DecimalText } from './price-book.ts';

/** What an account was charged so far. Money is exact, a decimal number over 3,600,000; use is in CU-milliseconds. */
export interface CostAccrual {
  readonly account: string;
  readonly currency: string;
  /** Never less than before. */
  readonly total: DecimalText;
  readonly unpricedTotal: number;
  /** Since the earliest billing period that is open, epoch milliseconds, and what was used from then on came to. */
  readonly periodFromAt: number;
  readonly periodAccrued: DecimalText;
  readonly periodUnpriced: number;
  /** Until when use is counted. */
  readonly asOfAt: number;
}
