import type { DecimalText } from './price-book.ts';

/** The accrued cost of an account. Money is exact, a decimal number over 3,600,000; usage is in CU-milliseconds. */
export interface CostAccrual {
  readonly account: string;
  readonly currency: string;
  /** Never less than before. */
  readonly total: DecimalText;
  readonly unpricedTotal: number;
  /**
   * From here on usage may still change, epoch milliseconds, mostly the billing period; with its cost and usage so far.
   */
  readonly periodFromAt: number;
  readonly periodAccrued: DecimalText;
  readonly periodUnpriced: number;
  /** The end of the usage that is counted. */
  readonly asOfAt: number;
}
