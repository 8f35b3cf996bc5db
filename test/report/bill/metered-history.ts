import { dayMs } from '../../../src/resources/duration.ts';
import type { MeterAmounts } from '../../../src/resources/meter.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../../support/meter-builder.ts';
import { ClosedHistory } from './closed-history.ts';

export const meteredPrices = `
pricing:
  currency: USD
  rounding: {decimals: 2}
  meter: {unit: hour}
  plans:
    - name: launch
      prices: [{from: 2026-01-01, per_compute_hour: 0.106}]
      metered:
        - {metric: root_branch_bytes_month, price: 0.35}
        - {metric: child_branch_bytes_month, price: 0.35}
        - {metric: instant_restore_bytes_month, price: 0.2}
        - {metric: public_network_transfer_bytes, name: public transfer, price: 0.1, included: {quantity: 100, per: account}}
        - {metric: private_network_transfer_bytes, price: 0.01}
        - {metric: extra_branches_month, price: 1.5, included_at_once: 9}
`;

/** In a day: 3.25 compute hours, 2 GB of data, 0.5 GB of branches, 1 GB of history, and 12 child branches. */
const shop: MeterAmounts = {
  compute_unit_seconds: 11_700,
  root_branch_bytes_month: 24 * 2e9,
  child_branch_bytes_month: 24 * 5e8,
  instant_restore_bytes_month: 24 * 1e9,
  snapshot_storage_bytes_month: 24 * 1e9,
  public_network_transfer_bytes: 5e9,
  private_network_transfer_bytes: 2e9,
  extra_branches_month: 24 * 12,
};
const gone: MeterAmounts = { root_branch_bytes_month: 24 * 2e9 };

/**
 * `ClosedHistory` with what the service metered of October: `p-shop` alike on each day, and `p-gone`, of which nothing else is
 * known, on the first ten.
 */
export class MeteredHistory extends ClosedHistory {
  constructor(untilDay = 31) {
    super();
    this.price(meteredPrices);
    this.now = Date.UTC(2026, 10, 8);
    const days = (count: number, amounts: MeterAmounts) =>
      Array.from({ length: count }, (_, index) => {
        const fromAt = Date.UTC(2026, 9, 1) + index * dayMs;
        return wireTimeframe(fromAt, fromAt + dayMs, amounts);
      });
    const told = [wireConsumption('p-shop', days(untilDay, shop)), wireConsumption('p-gone', days(10, gone))];
    // What did not grow since it was last read is settled.
    for (const at of [this.now - dayMs, this.now])
      this.history.commitOne(consumptionReading(at, told, { granularity: 'daily' }));
  }
}
