import { shortFingerprint } from '../../../cost/price/fingerprint.ts';
import { sayDates } from '../../../report/format/period-name.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { instant } from '../../part/instant.ts';
import { sayReportedPrice, showDecimal, showMoney } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { periodPicker } from '../../part/period-picker.ts';
import { costHint } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import type { Invoice, InvoiceAnswer, InvoiceQuery } from './invoice-answer.ts';

export function drawInvoice({ has_prices, invoice }: InvoiceAnswer): Markup {
  if (invoice === null) return costHint(has_prices);
  return html`${drawFacts(invoice)}
${drawLines(invoice)}
${drawRates(invoice)}
${reportNotes(invoice)}`;
}

const ledgerWords = {
  metered: 'the meter of the service',
  reported: 'what the service reported of each project',
  reconstructed: 'the time that endpoints were awake',
  best: 'the meter of the service as far as it is read, and otherwise what the service reported of each project',
} as const;

function drawFacts({
  period,
  account,
  currency,
  ledger,
  fingerprint,
  billing_periods,
  generated_at,
}: Invoice): Markup {
  return textCard(
    'What it is of',
    html`<dl class="facts">
<dt>Period</dt><dd>${periodText(period)}</dd>
<dt>Account</dt><dd>${account === null ? 'all' : shownName(account)}</dd>
<dt>Currency</dt><dd>${currency}</dd>
${billing_periods.map(each => html`<dt>${term('billing_period', 'Billing period')} ${sayDates(each.billing_period)}${account === null && html` of ${shownName(each.account)}`}</dt><dd>${stateOf(each)}</dd>`)}
${billing_periods.length === 0 && html`<dt>${term('billing_period', 'Billing period')}</dt><dd>none: this is the use of these days, and the charges of billing periods that begin in them</dd>`}
<dt>${term('price_book', 'Price book')}</dt><dd><a href="/prices">the prices in force</a>${fingerprint !== null && html`, fingerprint <code>${shortFingerprint(fingerprint)}</code>`}</dd>
<dt>${term('ledger', 'Compute by')}</dt><dd>${ledgerWords[ledger ?? 'best']}</dd>
<dt>Worked out</dt><dd>${instant(generated_at)}, from what the service told; it is not the invoice of the vendor</dd>
</dl>`,
  );
}

function stateOf({ state, closed_at, fingerprint }: Invoice['billing_periods'][number]): Content {
  switch (state) {
    case 'closed':
      return html`<span class="pill good">closed</span> ${instant(closed_at)}, with price book <code>${fingerprint && shortFingerprint(fingerprint)}</code>: its bill stays as it was then`;
    case 'open':
      return html`<span class="pill warn">open</span> Not closed yet: its figures may still change. <code>dbpm-exporter close</code> keeps them as they are.`;
    case 'running':
      return html`<span class="pill">running</span> it is not over: more will be added`;
  }
}

function drawLines({ lines, total, currency }: Invoice): Markup {
  const money = (decimal: string | null) => showMoney(decimal, currency);
  const hasAccounts = new Set(lines.map(({ account }) => account)).size > 1;
  const lineTable = table({
    caption: 'Lines of the invoice',
    isStacked: true,
    rows: lines,
    columns: [
      hasAccounts && { title: 'Account', total: 'Total', show: ({ account }) => shownName(account) },
      { title: 'Line', total: hasAccounts ? '' : 'Total', show: ({ line }) => shownName(line) },
      {
        title: 'Plan',
        show: ({ plan, tier }) => `${shownName(plan ?? '')}${tier === null ? '' : `, tier ${tier}`}`,
      },
      { number: 'Quantity charged', show: ({ quantity }) => showDecimal(quantity) },
      { title: 'Unit', show: ({ unit }) => unit },
      { number: 'Included hours', show: ({ included }) => showDecimal(included) },
      { number: 'Price', show: ({ price, list_price }) => sayReportedPrice(price ?? '', list_price) },
      {
        ...{ number: 'Cost', total: money(total) },
        show: ({ cost, no_cost }) =>
          cost === null ? html`<span class="warn">${no_cost}</span>` : money(cost),
      },
    ],
    whenEmpty: 'Nothing is charged in this period, as far as is known.',
  });
  return card('Lines', lineTable, { end: total !== null && html`<b>${money(total)}</b>` });
}

function drawRates({ exchange_rates, currency }: Invoice): Markup | null {
  if (exchange_rates.length === 0) return null;
  return html`<p>Exchange rates: ${exchange_rates.map(({ currency: from, rate, from: since }, index) => html`${index > 0 && '; '}1 ${from} is ${rate} ${currency} from ${instant(since)} on`)}.</p>`;
}

/** Which period it is of, and the same as files. */
export function drawInvoiceHead(
  { invoice, groupings, ...offered }: InvoiceAnswer,
  { path, query }: DrawContext<InvoiceQuery>,
): PageHead {
  const picker = periodPicker(path, query, offered);
  if (invoice === null) return { actions: picker };
  const asked = { period: invoice.period.label, account: invoice.account ?? '' };
  const file = (format: string, by = '', grouping = '') =>
    addressOf('/reports/cost', { ...asked, by, grouping, format });
  const [grouping] = groupings;
  const link = (href: string, name: string) => html`<a href=${href} download>${name}</a>`;
  return {
    lead: html`What it comes to by the price book. <a href=${addressOf('/cost/why', asked)}>Why it is more or less than the period before</a>, <a href=${addressOf('/cost', asked)}>by day</a>${grouping !== undefined && html`, <a href=${addressOf('/showback', { ...asked, grouping })}>by ${shownName(grouping)}</a>`}.`,
    actions: html`${picker}<details class="pick"><summary>As a file${icon('down')}</summary><div class="menu">${link(file('csv', 'line'), 'These lines as CSV')}${link(file('json', 'line'), 'These lines as JSON')}${groupings.map(each => link(file('csv', 'group', each), `By ${shownName(each)} as CSV`))}${link(file('csv', 'project'), 'By project as CSV')}${link(file('json', 'project'), 'By project as JSON')}${link(file('focus'), 'FOCUS 1.2')}</div></details>`,
  };
}
