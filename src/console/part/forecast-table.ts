import { sayBand } from '../../report/format/band-text.ts';
import { capital } from '../../report/format/shown-cell.ts';
import { isThingMetric, thingNames } from '../../resources/price-book.ts';
import type { ForecastQuantity } from '../answer-field.ts';
import { html, type Markup } from './html.ts';
import { showDecimal, showHours, showMoney } from './number.ts';
import { table } from './table.ts';

/** Forecasts below each other, with their bounds. */
export function forecastTable(caption: string, rows: readonly ForecastQuantity[]): Markup {
  const span = (low: string | undefined, high: string | undefined, row: ForecastQuantity) =>
    low === undefined || high === undefined
      ? 'not known'
      : (sayBand(showQuantity(low, row), showQuantity(high, row)) ?? showQuantity(low, row));
  const amount = (text: string | null, row: ForecastQuantity) =>
    text === null ? 'not known' : showQuantity(text, row);
  return table({
    caption,
    isStacked: true,
    rows,
    columns: [
      { title: 'What', show: ({ what, unit }) => nameQuantity(what, unit) },
      { number: 'So far', show: row => amount(row.so_far, row) },
      { number: 'Expected at the end', show: row => amount(row.expected, row) },
      { number: 'Four periods in five', show: row => span(row.bounds?.low80, row.bounds?.high80, row) },
      { number: 'Nineteen in twenty', show: row => span(row.bounds?.low95, row.bounds?.high95, row) },
    ],
  });
}

/** An amount as people read it: money with its currency. */
export function showQuantity(text: string, { what, unit }: Pick<ForecastQuantity, 'what' | 'unit'>): string {
  if (what === 'compute_hours') return showHours(text);
  return what === 'cost' ? showMoney(text, unit) : showDecimal(text);
}

function nameQuantity(what: string, unit: string): Markup | string {
  if (what === 'cost') return 'Cost';
  if (what === 'compute_hours') return 'Compute hours';
  const name = isThingMetric(what) ? thingNames[what] : what;
  return html`${capital(name)} <span class="detail">${unit}s</span>`;
}
