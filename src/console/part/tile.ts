import type { StaleAccount } from '../page.ts';
import { countOf } from './count-word.ts';
import { type Content, html, type Markup } from './html.ts';
import { clock } from './instant.ts';
import { showMoney } from './number.ts';

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
