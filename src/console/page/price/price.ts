import { subtractDecimals } from '../../../cost/money/decimal-sum.ts';
import { currencyDecimals } from '../../../cost/money/money.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { secondsPerHour } from '../../../resources/duration.ts';
import type { BillingPeriod } from '../../../resources/price-book.ts';
import { sumOf } from '../../../resources/sum.ts';
import type { ShownUsage } from '../../../resources/usage/view.ts';
import { writeInstant } from '../../answer-value.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { offeredBooks } from '../../part/price-box.ts';
import { NotWhole } from '../../report-cache/report-set.ts';
import { writeReport } from '../../report-field.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { amountsOf } from '../cost/cost-series.ts';
import {
  type Beside,
  type PriceAnswer,
  type PricedPeriod,
  type PriceQuery,
  priceAnswer,
  priceQuery,
} from './price-answer.ts';
import { drawPrices } from './price-drawing.ts';
import { findPlanPrices } from './price-in-force.ts';

/** What use would cost with prices that are tried, and how to write them. */
export const pricePage = definePage({
  path: '/prices',
  title: 'Prices',
  within: '/cost',
  summary:
    'The prices in force and of other times, what the billing period would come to with prices that are tried, and the YAML that sets them.',
  words: ['compute_hour', 'billing_period'],
  query: priceQuery,
  answer: priceAnswer,
  read: readPrices,
  asOf: ({ periods }) => periods[0]?.generated_at,
  draw: drawPrices,
});

/** Projects with a row of their own. */
const shownProjects = 10;

async function readPrices(
  { config, reports }: ConsoleSources,
  asked: PriceQuery,
  { now }: ReadContext,
): Promise<PriceAnswer> {
  const { pricing } = config;
  const yaml = writePricing(asked, now, pricing?.billingPeriod);
  const known = {
    has_prices: pricing !== undefined,
    config_file: config.configFile ?? null,
    ...findPlanPrices(config, now),
  };
  const nothing = { yaml: null, periods: [], expected: null, expected_in_force: null, projects: [] };
  if (yaml === undefined) return { ...known, ...nothing };
  const ask = (prices: { readonly prices?: string }) =>
    ['billing', 'last-billing'].map(period => ({
      kind: 'cost' as const,
      options: { period, by: 'project' as const, top: shownProjects, ...prices },
    }));
  const set = await reports.askTogether({
    reports: [...ask({ prices: yaml }), ...(pricing === undefined ? [] : ask({}))],
    withUsage: true,
  });
  const [current, last, currentInForce, lastInForce] = set.reports ?? [];
  if (current === undefined || last === undefined) throw new NotWhole(set.accounts);
  const expected = priceExpected(asked, set.usage);
  return {
    ...{ ...known, yaml },
    periods: [writePeriod(current, currentInForce), writePeriod(last, lastInForce)],
    expected,
    expected_in_force:
      pricing === undefined
        ? null
        : setBeside(
            { cost: expected, currency: asked.currency },
            { cost: sumExpected(set.usage, pricing.displayCurrency), currency: pricing.displayCurrency },
          ),
    projects: readRows<'cost'>(current).map(row => ({
      account: row.account ?? null,
      project_id: row.project_id ?? '',
      project_name: row.project_name ?? null,
      ...amountsOf(row),
    })),
  };
}

/** The hours that are expected of each account at the price that is tried, beyond what is included. */
function priceExpected(
  { book, currency, per_compute_hour, included_hours, base_fee }: PriceQuery,
  usage: ShownUsage | undefined,
): string | null {
  const seconds = (usage?.accounts ?? []).map(({ forecast }) => forecast?.computeSeconds?.expected);
  if (book !== '') return null;
  const amounts = seconds.map(each =>
    each === undefined
      ? Number.NaN
      : Number(base_fee) +
        Math.max(0, each / secondsPerHour - Number(included_hours)) * Number(per_compute_hour),
  );
  return writeSum(amounts, currency);
}

/** What the billing period is expected to cost with the prices in force; null unless it is known of each account. */
function sumExpected(usage: ShownUsage | undefined, currency: string): string | null {
  const amounts = (usage?.accounts ?? []).map(({ forecast }) => forecast?.cost?.expected ?? Number.NaN);
  return writeSum(amounts, currency);
}

/** The sum of the amounts of accounts; null unless there are some, and each is known. */
function writeSum(amounts: readonly number[], currency: string): string | null {
  const sum = sumOf(amounts);
  return amounts.length === 0 || Number.isNaN(sum) ? null : sum.toFixed(currencyDecimals(currency));
}

function writePeriod(report: MadeReport, inForce: MadeReport | undefined): PricedPeriod {
  const written = { ...writeReport(report), ...amountsOf(readTotals<'cost'>(report)) };
  if (inForce === undefined) return { ...written, in_force: null };
  const { cost } = amountsOf(readTotals<'cost'>(inForce));
  return { ...written, in_force: setBeside(written, { cost, currency: inForce.currency ?? null }) };
}

type Sum = Pick<Beside, 'cost' | 'currency'>;

function setBeside(tried: Sum, { cost, currency }: Sum): Beside {
  const isComparable = cost !== null && tried.currency === currency;
  const difference = tried.cost !== null && isComparable ? subtractDecimals(tried.cost, cost) : null;
  return { cost, currency, difference };
}

/** The section `pricing` as it is written into the configuration; undefined where nothing is asked for. */
function writePricing(
  { book, currency, per_compute_hour, included_hours, base_fee }: PriceQuery,
  now: number,
  billingPeriod: BillingPeriod | undefined,
): string | undefined {
  if (book !== '' && !offeredBooks.includes(book)) {
    throw new PageProblem(
      400,
      'There is no such price book',
      `"${book}" is none that is offered.`,
      offeredBooks,
    );
  }
  const period = writeBillingPeriod(billingPeriod);
  if (book !== '') return ['pricing:', `  book: ${book}`, ...period, ''].join('\n');
  if (per_compute_hour === '') return undefined;
  // A history may reach back for more than a year.
  const from = `${new Date(now).getUTCFullYear() - 2}-01-01`;
  return [
    'pricing:',
    `  currency: ${currency}`,
    ...period,
    '  plans:',
    '    - name: all',
    '      prices:',
    `        - {from: ${from}, per_compute_hour: ${per_compute_hour}}`,
    ...(included_hours === '' ? [] : [`      included: {compute_hours: ${included_hours}, per: account}`]),
    ...(base_fee === '' ? [] : [`      base_fee: ${base_fee}`]),
    '',
  ].join('\n');
}

/** The line of billing periods that are no calendar months. */
function writeBillingPeriod(period: BillingPeriod | undefined): readonly string[] {
  if (period === undefined) return [];
  if (period.kind === 'hours')
    return [
      `  billing_period: {hours: ${period.hours}, from: ${writeInstant(period.anchorAt).slice(0, 10)}}`,
    ];
  return period.anchorDay === 1 ? [] : [`  billing_period: {anchor_day: ${period.anchorDay}}`];
}
