import { decimalsOf } from '../../cost/money/decimal-sum.ts';
import { sayBand } from '../../report/format/band-text.ts';
import { lastDayOf } from '../../report/format/period-name.ts';
import type { WrittenSaving } from '../answer-field.ts';
import type { StaleAccount } from '../page.ts';
import { bullet } from './chart/spark.ts';
import { shortDay } from './chart/step.ts';
import { countOf } from './count-word.ts';
import { type Content, html, type Markup } from './html.ts';
import { clock } from './instant.ts';
import { showMoney } from './number.ts';
import { showSaving } from './saving.ts';

export interface Tile {
  readonly title: string;
  /** A few words beside the title: how it compares. */
  readonly mark?: Content;
  /** The one figure that is read first. */
  readonly figure: Content;
  /** A small drawing beside it. */
  readonly drawing?: Content;
  /** One sentence on what it means. */
  readonly detail?: Content;
}

/** Four figures in one strip; each has one that is read first. */
export function tileStrip(tiles: readonly Tile[]): Markup {
  return html`<section class="tiles" aria-label="Key figures">${tiles.map(
    ({ title, mark, figure, drawing, detail }) =>
      html`<div class="tile"><h2>${title}${mark}</h2><div class="v">${figure}</div>${drawing}${detail !== undefined && html`<p class="x">${detail}</p>`}</div>`,
  )}</section>`;
}

/** Figures that rest on an older reading of some accounts, which they name. */
export function markStale(
  tiles: readonly Tile[],
  accounts: readonly StaleAccount[],
  now: number,
): readonly Tile[] {
  const oldest = accounts.map(({ at }) => at).toSorted()[0];
  if (oldest === undefined) return tiles;
  const mark = html`<span class="pill warn">${countOf(accounts.length, 'account')} as of ${clock(oldest, now)}</span>`;
  return tiles.map(tile => ({ ...tile, mark }));
}

/** An amount of money, or compute hours without a currency, whose decimals and unit stand back. */
export function weakCents(decimal: string, currency: string | null): Content {
  const shown = showMoney(decimal, currency);
  const [, whole = shown, cents = '', unit = ''] = /^(.*?\d)(\.\d{1,2})?( h)?$/.exec(shown) ?? [];
  return html`<span>${whole}<span class="c">${cents}</span>${unit !== '' && html` <small>h</small>`}</span>`;
}

/** The expected end of a period beside its budget; without a currency, in compute hours. */
export function expectedTile({ until, spent, expected, currency, limit, ...about }: ExpectedFigures): Tile {
  const show = (decimal: string) => showMoney(decimal, currency);
  const band = about.bounds && sayBand(show(about.bounds.low80), show(about.bounds.high80));
  const over = limit === undefined ? 0 : Number(expected) - Number(limit);
  return {
    title: `Expected by ${shortDay(lastDayOf(until))}`,
    mark:
      over > 0 && html`<span class="d crit">${show(over.toFixed(decimalsOf(expected)))} over budget</span>`,
    figure: weakCents(expected, currency),
    drawing: bullet({
      label: `${show(spent)} so far, ${show(expected)} expected${limit === undefined ? '' : `, budget ${show(limit)}`}`,
      value: Number(spent),
      expected: Number(expected),
      limit: limit === undefined ? undefined : Number(limit),
    }),
    detail:
      about.bounds === null
        ? `of ${countOf(about.accounts, 'account')}`
        : band === null
          ? undefined
          : `4 periods in 5 from ${band}`,
  };
}

interface ExpectedFigures {
  /** The end of the period. */
  readonly until: string;
  readonly spent: string;
  readonly expected: string;
  readonly currency: string | null;
  /** The limit of its budget. */
  readonly limit?: string | undefined;
  /** Bounds of several accounts do not add up. */
  readonly bounds: { readonly low80: string; readonly high80: string } | null;
  readonly accounts: number;
}

/** The likely saving of findings a month, and the most it may be. */
export function savingTile(saving: WrittenSaving, currency: string | null, findings: Content): Tile {
  const { cost_per_month, most_cost_per_month } = saving;
  const { likely, most } = showSaving(saving, currency);
  const isPriced = currency !== null && most_cost_per_month !== null;
  return {
    title: 'Likely saving',
    figure:
      likely === undefined
        ? html`<span class="m">not known</span>`
        : html`${isPriced && cost_per_month !== null ? weakCents(cost_per_month, currency) : likely} <small>a month</small>`,
    drawing:
      isPriced &&
      bullet({
        label: `Likely ${likely ?? 'not known'}, at most ${most}`,
        value: Number(cost_per_month ?? 0),
        expected: Number(most_cost_per_month),
        isSaved: true,
      }),
    detail: html`${most !== undefined && `At most ${most}, `}from ${findings}`,
  };
}
