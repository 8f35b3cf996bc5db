import * as v from 'valibot';
import type { KnownProject } from '../../../history/browse/browsed-project.ts';
import { sayBand } from '../../../report/format/band-text.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { type ForecastQuantity, quantityField } from '../../answer-field.ts';
import { textCard } from '../../part/card.ts';
import { bullet } from '../../part/chart/spark.ts';
import { forecastTable, showQuantity } from '../../part/forecast-table.ts';
import { html, type Markup } from '../../part/html.ts';
import { term } from '../../part/term.ts';
import { readRows } from '../../report-row.ts';

export const projectForecastField = v.object({
  pending: v.boolean(),
  quantities: v.array(quantityField),
  notes: v.array(v.string()),
});
type ProjectForecast = v.InferOutput<typeof projectForecastField>;

/** How the billing period of a project ends: the rows of `report forecast --project`; null for one that is gone. */
export function writeProjectForecast(
  report: MadeReport | undefined,
  { gone_at }: Pick<KnownProject, 'gone_at'>,
  pending: boolean,
): ProjectForecast | null {
  if (gone_at !== null) return null;
  const rows = report === undefined ? [] : readRows<'forecast'>(report);
  return {
    pending,
    quantities: rows.map(({ what, unit, so_far, expected, low80, high80, low95, high95 }) => ({
      what: what ?? '',
      unit: unit ?? '',
      so_far: so_far ?? null,
      expected: expected ?? null,
      bounds: low80 && high80 && low95 && high95 ? { low80, high80, low95, high95 } : null,
    })),
    notes: [...(report?.notes ?? [])],
  };
}

/** How the billing period of the project ends: in money, in compute hours, and what is metered. */
export function drawProjectForecast(forecast: ProjectForecast | null): Markup | null {
  if (forecast === null) return null;
  const { pending, quantities, notes } = forecast;
  const [first] = quantities;
  return textCard(
    'Forecast of this billing period',
    html`${pending && html`<p class="notes">The forecast is being worked out: it is here in a moment.</p>`}
${first !== undefined && drawBand(first)}
${quantities.filter(({ what }) => what === 'cost' || what === 'compute_hours').map(sayQuantity)}
${quantities.length > 0 && html`<details><summary>All figures of the forecast</summary>${forecastTable('Forecast of the billing period of the project', quantities)}</details>`}
${notes.length > 0 && html`<details open=${first?.expected === null}><summary>What these figures are</summary><ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul></details>`}`,
    { id: 'forecast', isFolded: true },
  );
}

function sayQuantity(quantity: ForecastQuantity): Markup {
  const { what, so_far, expected, bounds } = quantity;
  const noun = what === 'cost' ? '' : html` ${term('compute_hour', 'compute hours')}`;
  const soFar = so_far === null ? 'Not known' : showQuantity(so_far, quantity);
  if (expected === null || bounds === null)
    return html`<p><strong>${soFar}</strong>${noun} so far. What it will come to is not known yet.</p>`;
  const band = bandOf(bounds, quantity);
  return html`<p><strong>${soFar}</strong>${noun} so far, <strong>${showQuantity(expected, quantity)}</strong>${noun} expected at its end${band !== null && html`; ${term('forecast_band', 'four periods in five')} come out from ${band}`}.</p>`;
}

/** Null where it comes out as one figure, whatever happens. */
function bandOf(
  { low80, high80 }: NonNullable<ForecastQuantity['bounds']>,
  quantity: ForecastQuantity,
): string | null {
  return sayBand(showQuantity(low80, quantity), showQuantity(high80, quantity));
}

function drawBand(quantity: ForecastQuantity): Markup | null {
  const { so_far, expected, bounds } = quantity;
  if (expected === null || bounds === null) return null;
  const noun = quantity.what === 'cost' ? '' : ' compute hours';
  const show = (text: string) => `${showQuantity(text, quantity)}${noun}`;
  const band = bandOf(bounds, quantity);
  return bullet({
    label: `${show(so_far ?? '0')} so far; ${show(expected)} expected at the end of the billing period${band === null ? '' : `, four periods in five from ${band}`}.`,
    value: Number(so_far ?? 0),
    expected: Number(expected),
    high: Number(bounds.high80),
  });
}
