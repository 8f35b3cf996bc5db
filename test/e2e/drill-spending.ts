/** Sections of the daemon's configuration. */
export interface Spending {
  readonly pricing: object;
  readonly budgets: readonly object[];
}

const day = 86_400_000;
const date = (at: number) => new Date(at).toISOString().slice(0, 10);

function pricesOf(plans: readonly object[]): object {
  // The fleet is six days old.
  return { currency: 'EUR', billing_period: { hours: 744, from: date(Date.now() - 5 * day) }, plans };
}

/** Everything has a price, next to nothing is charged, and far more may be spent than ever is. */
export const amplePrices: Spending = {
  pricing: pricesOf([{ name: 'all', prices: [{ from: '2020-01-01', per_compute_hour: '0.0001' }] }]),
  budgets: [
    { name: 'short', account: 'costly', compute_hours: '1000000', per: 'billing' },
    { name: 'hasty', account: 'costly', compute_hours: '1000000', per: 'billing' },
  ],
};

/** A price that makes every finding worth an alert, none for the other accounts, and budgets that will not do. */
export const scarceBudgets: Spending = {
  pricing: pricesOf([
    {
      name: 'dear',
      match: { accounts: ['costly'] },
      prices: [{ from: '2020-01-01', per_compute_hour: '10' }],
    },
  ]),
  budgets: [
    { name: 'short', account: 'costly', compute_hours: '1', per: 'billing' },
    // Of some hundred compute hours a day, the fleet uses this up in about ten days.
    { name: 'hasty', account: 'costly', compute_hours: '1100', per: 'billing' },
  ],
};
