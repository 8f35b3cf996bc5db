import * as v from 'valibot';
import { currencyDecimals } from '../../../cost/money/money.ts';
import { periodName } from '../../../report/format/period-name.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { secondsPerHour } from '../../../resources/duration.ts';
import type { ShownUsage } from '../../../resources/usage/view.ts';
import { amountFields, decimalField } from '../../answer-field.ts';
import { type ConsoleSources, type DrawContext, definePage, type ReadContext } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { text } from '../../parameter.ts';
import { pathOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { codeBox } from '../../part/code-box.ts';
import { html, type Markup } from '../../part/html.ts';
import { showHours, showMoney } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { offeredBooks, priceForm } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { NotWhole } from '../../report-cache/report-set.ts';
import { reportFields, writeReport } from '../../report-field.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { amountsOf } from '../cost/cost-series.ts';
import { drawPlanPrices, findPlanPrices, planPriceField } from './price-in-force.ts';

function amount() {
  const message = 'a number such as 0.16';
  return v.optional(v.pipe(v.string(), v.regex(/^(\d{1,9}(\.\d{1,9})?)?$/, message)), '');
}

const priceQuery = v.object({
  per_compute_hour: amount(),
  included_hours: amount(),
  base_fee: amount(),
  currency: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'three capital letters, such as USD')),
    'USD',
  ),
  book: text(100),
});
type PriceQuery = v.InferOutput<typeof priceQuery>;

const pricedPeriod = v.object({ ...reportFields, ...amountFields });
type PricedPeriod = v.InferOutput<typeof pricedPeriod>;

const priceAnswer = v.object({
  /** What the configuration says now, plan by plan. */
  in_force: v.array(planPriceField),
  /** What it says of other times, the newest first. */
  other_prices: v.array(planPriceField),
  /** Whether the configuration has prices of its own. */
  has_prices: v.boolean(),
  /** The configuration file in use; null where there is none. */
  config_file: v.nullable(v.string()),
  /** The section to write into it; null where nothing was asked for. */
  yaml: v.nullable(v.string()),
  /** The billing period now, and the last one, as `report cost` has them with these prices. */
  periods: v.array(pricedPeriod),
  /** What the billing period is expected to come to; null with a price book, and while there is no forecast. */
  expected: v.nullable(decimalField),
  /** The dearest projects of the billing period now, and what stands for all others. */
  projects: v.array(
    v.object({
      account: v.nullable(v.string()),
      project_id: v.string(),
      project_name: v.nullable(v.string()),
      ...amountFields,
    }),
  ),
});
type PriceAnswer = v.InferOutput<typeof priceAnswer>;

/** What use would cost with prices that are tried, and how to write them. */
export const pricePage = definePage({
  path: '/prices',
  title: 'See it in money',
  summary:
    'The prices in force and of other times, what the billing period would come to with prices that are tried, and the YAML that sets them.',
  words: ['compute_hour', 'billing_period'],
  query: priceQuery,
  answer: priceAnswer,
  read: readPrices,
  titleOf: ({ has_prices }) => (has_prices ? 'Prices' : 'See it in money'),
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
  const known = {
    has_prices: config.pricing !== undefined,
    config_file: config.configFile ?? null,
    ...findPlanPrices(config, now),
  };
  if (yaml === undefined) return { ...known, yaml: null, periods: [], expected: null, projects: [] };
  const question = (period: string) => ({
    kind: 'cost' as const,
    options: { period, by: 'project' as const, top: shownProjects, prices: yaml },
  });
  const set = await reports.askTogether({
    reports: [question('billing'), question('last-billing')],
    withUsage: true,
  });
  const [current, last] = set.reports ?? [];
  if (current === undefined || last === undefined) throw new NotWhole(set.accounts);
  return {
    ...{ ...known, yaml },
    periods: [current, last].map(writePeriod),
    expected: priceExpected(asked, set.usage),
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
  if (book !== '' || seconds.length === 0) return null;
  const amounts = seconds.map(each =>
    each === undefined
      ? Number.NaN
      : Number(base_fee) +
        Math.max(0, each / secondsPerHour - Number(included_hours)) * Number(per_compute_hour),
  );
  const sum = amounts.reduce((all, each) => all + each, 0);
  return Number.isNaN(sum) ? null : sum.toFixed(currencyDecimals(currency));
}

function writePeriod(report: MadeReport): PricedPeriod {
  return { ...writeReport(report), ...amountsOf(readTotals<'cost'>(report)) };
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

function drawPrices(answer: PriceAnswer, { query: asked }: DrawContext<PriceQuery>): Markup {
  const [first] = answer.in_force;
  const isAsked = asked.per_compute_hour !== '' || asked.book !== '';
  // One begins from what is in force.
  const query =
    isAsked || !first?.price ? asked : { ...asked, per_compute_hour: first.price, currency: first.currency };
  const [current] = answer.periods;
  const comesTo =
    current === undefined
      ? textCard('What it comes to', html`<p class="m">Write a price, or choose a price book.</p>`)
      : card(
          'What it comes to',
          html`<ul class="rows">${answer.periods.map(drawPeriod)}${drawExpected(answer, current)}</ul>`,
        );
  return html`${drawPlanPrices(answer.in_force, answer.other_prices)}
<div class="g g2">${textCard('Prices to try', priceForm(query, answer.has_prices))}
<div class="stack">${comesTo}</div></div>
${current !== undefined && html`${drawYaml(answer)}${drawProjects(answer, current)}${reportNotes(current)}`}`;
}

function drawExpected({ expected }: PriceAnswer, { currency }: PricedPeriod): Markup | null {
  if (expected === null) return null;
  return html`<li class="two"><span class="t"><b>expected by the end of this billing period</b></span><span class="r">${showMoney(expected, currency)}</span></li>`;
}

function drawPeriod(priced: PricedPeriod): Markup {
  const { period, cost, used_hours, currency, missing } = priced;
  return html`<li class="two"><span class="t"><b>${periodName(period.label)}</b>${missing.length > 0 && html` <span class="s">known in part</span>`}</span><span class="r">${cost === null ? 'not known' : showMoney(cost, currency)}</span><span class="s">${used_hours !== null && `${showHours(used_hours)} compute hours, `}${periodText(period)}</span></li>`;
}

function drawYaml({ yaml, config_file, has_prices }: PriceAnswer): Markup {
  const where =
    config_file === null
      ? html`<p>There is no configuration file yet. Write the lines into a new one, such as <code>dbpm.yaml</code>, and start the daemon with <code>--config.file dbpm.yaml</code> or with <code>DBPM_CONFIG_FILE=dbpm.yaml</code> besides the flags and variables that it has: these stay as they are. In the Helm chart the same lines belong below <code>config</code>.</p>`
      : html`<p>${has_prices ? 'Write them in place of the section' : 'Write the lines into'} ${has_prices && html`<code>pricing</code> of `}<code>${shownName(config_file)}</code>, then reload the configuration by SIGHUP, or start the daemon again.</p>`;
  return textCard(
    'To keep these prices',
    html`${codeBox(yaml ?? '')}${where}<p class="detail">What was used in the past is priced, too. <code>dbpm-exporter check-config</code> says what is wrong in the file. Tiers, storage, fees and taxes are in <a href="/help/prices">Write a price book</a>.</p>`,
  );
}

function drawProjects({ projects }: PriceAnswer, { currency }: PricedPeriod): Markup {
  return card(
    'By project, this billing period',
    table({
      caption: 'What the dearest projects would cost',
      whenEmpty: 'Nothing was used yet.',
      rows: projects.toSorted((a, b) => Number(a.account === null) - Number(b.account === null)),
      columns: [
        {
          title: 'Project',
          show: ({ account, project_id, project_name }) =>
            account === null || project_name === null
              ? shownName(project_id)
              : html`<a href=${pathOf('projects', account, project_id)}>${shownName(project_name)}</a>`,
        },
        { number: 'Compute hours', show: ({ used_hours }) => showHours(used_hours) },
        { number: 'Cost', show: ({ cost }) => showMoney(cost, currency) },
      ],
    }),
  );
}
