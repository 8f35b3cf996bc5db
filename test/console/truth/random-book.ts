import fc from 'fast-check';
import { dayMs, watchedFromAt } from './true-fleet.ts';

const showDay = (day: number) => new Date(watchedFromAt + day * dayMs).toISOString().slice(0, 10);
const amount = (most: number) =>
  fc.integer({ min: 1, max: most * 100 }).map(cents => (cents / 100).toFixed(2));
const perHour = fc.integer({ min: 1, max: 9999 }).map(parts => (parts / 10_000).toFixed(4));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** The first price was always there; another one holds from a day that was watched. */
const prices = fc
  .record({
    first: perHour,
    second: maybe(fc.tuple(fc.integer({ min: 0, max: 5 }), perHour)),
    discount: maybe(fc.integer({ min: 1, max: 90 })),
  })
  .map(({ first, second, discount }) => [
    {
      from: showDay(-400),
      per_compute_hour: first,
      ...(discount !== undefined && { discount_percent: String(discount) }),
    },
    ...(second === undefined ? [] : [{ from: showDay(second[0]), per_compute_hour: second[1] }]),
  ]);

const currency = fc.constantFrom('USD', 'EUR');
const simplePlan = fc.record({ prices, currency });
const included = fc.oneof(
  fc.record({ compute_hours: amount(20), per: fc.constantFrom('account', 'project') }),
  fc.record({ amount: amount(3), per: fc.constantFrom('account', 'project') }),
);
const wholePlan = fc.record({
  ...{ prices, currency, included: maybe(included) },
  ...{ base_fee: maybe(amount(30)), minimum: maybe(amount(30)) },
  partial_period: fc.constantFrom('prorated', 'whole'),
});
const match = fc.constantFrom<object>(
  { accounts: ['side'] },
  { projects: ['*a*'] },
  { groups: ['team/web'] },
);
const charge = fc.constantFrom('main', 'side').chain(account =>
  fc.oneof(
    amount(5).map(off => ({ kind: 'credit', account, on: showDay(1), amount: off })),
    fc.integer({ min: 1, max: 40 }).map(percent => ({ kind: 'tax', account, percent: String(percent) })),
  ),
);
const rate = fc.integer({ min: 5000, max: 15_000 }).map(parts => (parts / 10_000).toFixed(4));
const exchange_rates = fc.tuple(rate, rate).map(([first, second]) => [
  { currency: 'USD', from: showDay(-400), rate: first },
  { currency: 'USD', from: showDay(2), rate: second },
]);

/** Billing periods of three days: the second one goes on. */
export const billing_period = { hours: 72, from: showDay(0) };

interface Plan {
  readonly prices: readonly object[];
}

const named = <Entry extends object>(what: string, entries: readonly Entry[]) =>
  entries.map((entry, index) => ({ name: `${what} ${index}`, ...entry }));

/** Projects of the first plan are some, and those of the second one all others, or none. */
function pricing(plan: fc.Arbitrary<Plan>, charges: fc.Arbitrary<readonly object[]>) {
  return fc
    .record({ match, first: plan, others: maybe(plan), exchange_rates, charges })
    .map(({ match: its, first, others, charges: adjustments, ...rest }) => ({
      ...{ currency: 'EUR', billing_period, ...rest },
      plans: named('plan', [{ match: its, ...first }, ...(others === undefined ? [] : [others])]),
      adjustments: named('charge', adjustments),
    }));
}

/** A price book, and whether it charges each compute hour by itself: then the cost of any stretch is known. */
export const randomBook = fc.oneof(
  pricing(simplePlan, fc.constant([])).map(book => ({ book, isByHour: true })),
  pricing(wholePlan, fc.array(charge, { maxLength: 2 })).map(book => ({ book, isByHour: false })),
);
export type RandomBook = typeof randomBook extends fc.Arbitrary<infer Book> ? Book : never;
