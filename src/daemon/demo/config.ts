import { dayMs } from '../../resources/duration.ts';
import { dateOf } from '../../resources/utc-date.ts';

/** Days of the billing period that are over: late in it there is most to see. */
const daysIntoPeriod = 25;

/**
 * Money for each project: all of it and that of platform is used up before the period ends, that of shop nearly, that of
 * data is enough.
 */
const amounts = { everything: 88, platform: 24, shop: 23, data: 35 };

/** The part of the demo's configuration that variables cannot say: prices, groups and budgets. */
export function renderDemoConfig(now: number, projects: number): string {
  const amountOf = (name: keyof typeof amounts) => ({
    amount: String(amounts[name] * projects),
    per: 'billing',
  });
  const beganAt = now - daysIntoPeriod * dayMs;
  const config = {
    pricing: {
      currency: 'USD',
      billing_period: { hours: 744, from: dateOf(beganAt) },
      plans: [
        {
          name: 'scale',
          prices: [
            { from: dateOf(beganAt - 400 * dayMs), per_compute_hour: '0.16' },
            { from: dateOf(now - 7 * dayMs), per_compute_hour: '0.18', discount_percent: '5' },
          ],
          included: { compute_hours: '50', per: 'account' },
        },
      ],
    },
    groups: {
      team: {
        platform: {
          projects: ['accounts-*', 'identity-*', 'billing-*', 'payroll-*', 'notifications-*', 'pooled-*'],
        },
        shop: {
          projects: [
            'checkout-*',
            'catalogue-*',
            'webshop-*',
            'orders-*',
            'shipping-*',
            'loyalty-*',
            'stock-*',
          ],
        },
        data: { projects: ['analytics-*', 'search-*', '*-reporting', '*-reports', '*-jobs'] },
      },
      stage: {
        production: { projects: ['*-prod', '*-api', '*-db'] },
        development: { projects: ['*-dev', '*-staging', '*-sandbox'] },
      },
    },
    budgets: [
      { name: 'everything', account: 'demo', ...amountOf('everything') },
      { name: 'platform', group: 'team/platform', ...amountOf('platform') },
      { name: 'shop', group: 'team/shop', ...amountOf('shop') },
      { name: 'data', group: 'team/data', ...amountOf('data') },
      { name: 'development', group: 'stage/development', compute_hours: '600', per: 'week' },
    ],
  };
  // JSON is YAML.
  return `${JSON.stringify(config, null, 2)}\n`;
}
