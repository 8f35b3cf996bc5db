import { html, type Markup } from './html.ts';
import { priceBox } from './price-box.ts';

/** What stands in place of cost: the box for prices without any, or why there is none before anything was read. */
export function costHint(hasPrices: boolean): Markup {
  return hasPrices ? html`<p class="m">Nothing was read from the service yet.</p>` : priceBox();
}
