import { textCard } from './card.ts';
import { html, type Markup } from './html.ts';

/** What is written into the box: decimals as texts, empty where nothing is. */
interface AskedPrices {
  readonly per_compute_hour: string;
  readonly included_hours: string;
  readonly base_fee: string;
  readonly currency: string;
  /** A price book that comes with the program, in place of all else. */
  readonly book: string;
}

/** The price books that come with the program, as the box offers them. */
export const offeredBooks = ['launch-2026-07', 'scale-2026-07', 'free-2026-07'];

/** Takes a price, or names a price book, and leads to what the period would come to with it. */
export function priceBox(): Markup {
  const nothing = { per_compute_hour: '', included_hours: '', base_fee: '', currency: 'USD', book: '' };
  return textCard('See it in money', priceForm(nothing));
}

/** The form of the box: it is sent by its address, and works without a script. */
export function priceForm(asked: AskedPrices, hasPrices = false): Markup {
  const why = hasPrices
    ? 'See what other prices would come to. Those in force stay as they are.'
    : 'The service tells hours and no prices. Write what is on your price page, and see what the billing period would come to.';
  return html`<form class="prices" method="get" action="/prices" autocomplete="off">
<p>${why}</p>
<div class="price-fields">${amount('per_compute_hour', 'A compute hour costs', '0.16', asked)}
<label>Currency<input class="field" name="currency" value=${asked.currency} pattern="[A-Z]{3}" title="three capital letters, such as USD" size="4" required /></label>
${amount('included_hours', 'Hours included a month', 'none', asked)}
${amount('base_fee', 'Fee a month', 'none', asked)}
<label>Or a price book<select class="field" name="book"><option value="">none</option>${offeredBooks.map(book => html`<option value=${book} selected=${book === asked.book}>${book}</option>`)}</select></label>
<button class="btn" type="submit">Show what it comes to</button></div></form>`;
}

function amount(
  name: 'per_compute_hour' | 'included_hours' | 'base_fee',
  label: string,
  hint: string,
  asked: AskedPrices,
): Markup {
  return html`<label>${label}<input class="field" name=${name} value=${asked[name]} placeholder=${hint} inputmode="decimal" pattern="[0-9]{1,9}(\\.[0-9]{1,9})?" title="a number such as 0.16" size="8" /></label>`;
}

/** The box for prices in place of cost, or a sentence where nothing was read yet. */
export function costHint(hasPrices: boolean): Markup {
  return hasPrices ? html`<p class="m">Nothing was read from the service yet.</p>` : priceBox();
}
