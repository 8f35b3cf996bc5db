import type { MadeReport } from '../../../report/maker.ts';
import { NotWhole } from '../../desk/report-set.ts';
import { type ConsoleSources, definePage, type ReadContext } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { offeredBooks } from '../../part/price-box.ts';
import { writeReport } from '../../report-field.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import {
  type PriceAnswer,
  type PricedPeriod,
  type PriceQuery,
  priceAnswer,
  priceQuery,
} from './price-answer.ts';
import { drawPrices } from './price-drawing.ts';

/** What use would cost with prices that are tried, and how to write them. */
export const pricePage = definePage({
  path: '/prices',
  apiPath: '/prices',
  title: 'See it in money',
  summary: 'What the billing period would come to with prices that are tried, and the YAML that sets them.',
  isListed: false,
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
  const yaml = writePricing(asked, now);
  const known = { has_prices: config.pricing !== undefined, config_file: config.configFile ?? null, yaml };
  if (yaml === undefined) return { ...known, yaml: null, periods: [], projects: [] };
  const question = (period: string) => ({
    kind: 'cost' as const,
    options: { period, by: 'project' as const, top: shownProjects, prices: yaml },
  });
  const set = await reports.askTogether({ reports: [question('billing'), question('last-billing')] });
  const [current, last] = set.reports ?? [];
  if (current === undefined || last === undefined) throw new NotWhole(set.accounts);
  return {
    ...{ ...known, yaml },
    periods: [current, last].map(writePeriod),
    projects: keyRows(current).map(row => ({
      account: row.text('account') || null,
      project_id: row.text('project_id') ?? '',
      project_name: row.text('project_name') || null,
      ...amountsOf(row),
    })),
  };
}

function writePeriod(report: MadeReport): PricedPeriod {
  return { ...writeReport(report), ...amountsOf(keyTotals(report)) };
}

function amountsOf(row: KeyedRow | undefined) {
  return { cost: row?.decimal('cost') ?? null, used_hours: row?.decimal('used_hours') ?? null };
}

/** The section `pricing` as it is written into the configuration; undefined where nothing is asked for. */
function writePricing(
  { book, currency, per_compute_hour, included_hours, base_fee }: PriceQuery,
  now: number,
): string | undefined {
  if (book !== '' && !offeredBooks.includes(book)) {
    throw new PageProblem(
      400,
      'There is no such price book',
      `"${book}" is none that is offered.`,
      offeredBooks,
    );
  }
  if (book !== '') return `pricing:\n  book: ${book}\n`;
  if (per_compute_hour === '') return undefined;
  // A history may reach back for more than a year.
  const from = `${new Date(now).getUTCFullYear() - 2}-01-01`;
  return [
    'pricing:',
    `  currency: ${currency}`,
    '  plans:',
    '    - name: all',
    '      prices:',
    `        - {from: ${from}, per_compute_hour: ${per_compute_hour}}`,
    ...(included_hours === '' ? [] : [`      included: {compute_hours: ${included_hours}, per: account}`]),
    ...(base_fee === '' ? [] : [`      base_fee: ${base_fee}`]),
    '',
  ].join('\n');
}
