/** A price book with something of every kind, as users write it. */
export const billedPricing = {
  currency: 'USD',
  display_currency: 'EUR',
  exchange_rates: [
    { currency: 'USD', from: '2025-01-01', rate: '0.92' },
    { currency: 'USD', from: '2025-10-10', rate: '0.875' },
  ],
  rounding: { decimals: 2 },
  plans: [
    {
      name: 'scale',
      match: { projects: ['shop-*'] },
      prices: [
        { from: '2025-01-01', per_compute_hour: '0.16' },
        { from: '2025-10-16', per_compute_hour: '0.2', discount_percent: '12.5' },
      ],
      included: { compute_hours: '50', per: 'account' },
      base_fee: [
        { from: '2025-01-01', amount: '19' },
        { from: '2025-10-11', amount: '25' },
      ],
      counted: [{ name: 'more projects', of: 'projects', included: '1', price: '1.5' }],
    },
    {
      name: 'volume',
      prices: [
        {
          from: '2025-01-01',
          tiers: [{ up_to: '70', per_compute_hour: '0.15' }, { per_compute_hour: '0.12' }],
        },
      ],
      minimum: '25',
    },
  ],
  lines: [{ name: 'storage', from: '2025-09-11', quantity: '40', unit: 'GB-month', price: '0.35' }],
  adjustments: [
    { name: 'refund', kind: 'adjustment', on: '2025-10-12', amount: '-7.30' },
    { name: 'startup', kind: 'credit', from: '2025-09-01', to: '2025-10-01', amount: '10' },
    { name: 'VAT', kind: 'tax', from: '2025-01-01', percent: '19' },
  ],
};
