import fc from 'fast-check';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { type CostLine, sumLines } from '../../src/cost/rating/cost-line.ts';
import type { CostingInput } from '../../src/cost/rating/costing.ts';
import type { DecimalText, PriceBook, PricePlan } from '../../src/resources/price-book.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';
import { instant, originAt, spanMs } from './random-bill.ts';

/** What is charged in the display currency, in others by currency, and for how much use: exact texts. */
export type Invoice = Readonly<Record<string, string>>;

/** Units of money of the whole numbers below: 3,600,000 × 10^14 of them are 1. */
const scale = 14;

export function invoiceOfLines(lines: readonly CostLine[]): Invoice {
  const { amount, unconverted, usedCuMs } = sumLines(lines);
  const kept = [...unconverted].map(([currency, { numerator }]) => [currency, numerator.toFixed(scale)]);
  return { ...Object.fromEntries(kept), usedCuMs: String(usedCuMs), amount: amount.numerator.toFixed(scale) };
}

export function addInvoices(invoices: readonly Invoice[]): Invoice {
  const sums = new Map<string, bigint>();
  for (const [key, text] of invoices.flatMap(invoice => Object.entries(invoice)))
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(text.replace('.', '')));
  return Object.fromEntries(
    [...sums].map(([key, sum]) => [key, key === 'usedCuMs' ? String(sum) : decimalOf(sum)]),
  );
}

/** The invoice of a billing period by whole numbers alone, of a book of `simpleBook`. */
export function invoiceOf({ book, ledger }: CostingInput, period: Period): Invoice {
  const use = (project: UsageProject, from: number, until: number) =>
    ledger.usedUntil(project.project_ref, until) - ledger.usedUntil(project.project_ref, from);
  const byAccount = Map.groupBy(ledger.projects, ({ account }) => account);
  const amounts = [...byAccount].map(([account, projects]) => {
    const plan = book.plans.find(({ match }) => match.accounts?.includes(account) ?? true);
    return plan === undefined ? 0n : chargeOf(book, plan, { projects, use, period });
  });
  const used = ledger.projects.reduce((sum, project) => sum + use(project, period.fromAt, period.untilAt), 0);
  return { usedCuMs: String(used), amount: decimalOf(amounts.reduce((sum, amount) => sum + amount, 0n)) };
}

interface Charged {
  readonly projects: readonly UsageProject[];
  readonly use: (project: UsageProject, from: number, until: number) => number;
  readonly period: Period;
}

/** What the projects of an account come to under a plan, and what is missing to its minimum. */
function chargeOf(book: PriceBook, plan: PricePlan, { projects, use, period }: Charged): bigint {
  const cuts = [...plan.prices, ...book.exchangeRates].map(({ fromAt }) => fromAt);
  const inside = cuts.filter(at => at > period.fromAt && at < period.untilAt);
  const edges = [...new Set([period.fromAt, ...inside, period.untilAt])].sort((a, b) => a - b);
  const allowance = whole(hoursOf(plan), 3) * 3600n;
  const left = projects.map(() => allowance);
  let own = 0n;
  let shown = 0n;
  for (const [index, until] of edges.slice(1).entries()) {
    const from = edges[index] ?? until;
    for (const [number, project] of projects.entries()) {
      const used = BigInt(use(project, from, until));
      const free = min(used, left[number] ?? 0n);
      left[number] = (left[number] ?? 0n) - free;
      const cost = (used - free) * priceAt(plan, from);
      own += cost;
      shown += cost * rateAt(book, plan, from);
    }
  }
  const isKnown = period.untilAt > originAt;
  // 10^7 of the price are 1, and 10^4 of the rate.
  const missing = whole(typeof plan.minimum === 'string' ? plan.minimum : '0', 7) * 3_600_000n - own;
  const topUp = isKnown && missing > 0n ? missing * rateAt(book, plan, period.untilAt - 1) : 0n;
  return (shown + topUp) * 1000n;
}

function hoursOf({ included }: PricePlan): DecimalText {
  return included !== undefined && 'per' in included ? (included.computeHours ?? '0') : '0';
}

function priceAt({ prices }: PricePlan, at: number): bigint {
  const price = prices.findLast(({ fromAt }) => fromAt <= at);
  if (price === undefined) throw new Error('a price is missing');
  return whole(price.perComputeHour, 4) * (1000n - whole(price.discountPercent, 1));
}

function rateAt({ displayCurrency, exchangeRates }: PriceBook, { currency }: PricePlan, at: number): bigint {
  if (currency === displayCurrency) return 10_000n;
  const found = exchangeRates.findLast(rate => rate.currency === currency && rate.fromAt <= at);
  if (found === undefined) throw new Error('a rate is missing');
  return whole(found.rate, 4);
}

/** A decimal as a whole number of its last decimal. */
function whole(text: DecimalText, decimals: number): bigint {
  const [units = '', fraction = ''] = text.split('.');
  return BigInt(units + fraction.padEnd(decimals, '0'));
}

function decimalOf(units: bigint): string {
  const digits = String(units).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

const decimal = (max: number, places: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** places }).map(units => (units / 10 ** places).toFixed(places));

/** An instant before all use, and some within it. */
const since = fc
  .uniqueArray(instant, { maxLength: 3 })
  .map(cuts => [Date.parse('2020-01-01'), ...cuts.toSorted((a, b) => a - b)]);

const simplePlan: fc.Arbitrary<PricePlan> = fc
  .record({
    account: fc.constantFrom<string | undefined>(undefined, 'a', 'b'),
    currency: fc.constantFrom('USD', 'EUR'),
    prices: since.chain(starts =>
      fc.tuple(
        ...starts.map((fromAt, index) => {
          const untilAt = starts[index + 1];
          const ends = untilAt === undefined ? {} : { untilAt };
          return fc
            .record({ perComputeHour: decimal(2, 4), discountPercent: decimal(100, 1) })
            .map(price => ({ fromAt, ...ends, ...price }));
        }),
      ),
    ),
    included: fc.option(decimal(60, 3)),
    minimum: fc.oneof(decimal(30, 2), decimal(3000, 2)),
  })
  .map(({ account, included, ...plan }) => ({
    name: 'plan',
    match: account === undefined ? {} : { accounts: [account] },
    ...plan,
    ...(included !== null && { included: { computeHours: included, per: 'project' as const } }),
  }));

/** Price books whose prices have no gaps, and whose allowances are of each project. */
export const simpleBook: fc.Arbitrary<PriceBook> = fc
  .record({
    billingPeriod: fc.oneof(
      fc.record({ kind: fc.constant('month' as const), anchorDay: fc.integer({ min: 1, max: 31 }) }),
      fc.record({
        kind: fc.constant('hours' as const),
        hours: fc.constantFrom(24, 100, 168, 720, 744),
        anchorAt: fc.integer({ min: 0, max: spanMs / 3_600_000 }).map(hour => originAt + hour * 3_600_000),
      }),
    ),
    plans: fc.array(simplePlan, { minLength: 1, maxLength: 3 }),
    rates: since.chain(starts =>
      fc.tuple(...starts.map(fromAt => decimal(2, 4).map(rate => ({ currency: 'EUR', fromAt, rate })))),
    ),
  })
  .map(({ billingPeriod, plans, rates }) => ({
    displayCurrency: 'USD',
    billingPeriod,
    plans: plans.map((plan, index) => ({ ...plan, name: `plan-${index}` })),
    exchangeRates: rates,
  }));
