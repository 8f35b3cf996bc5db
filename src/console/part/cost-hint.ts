import { html, type Markup } from './html.ts';

const example = `pricing:
  currency: EUR
  plans:
    - name: all
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.16}
`;

/** Advice where there is no cost: without prices, or before anything was read. */
export function costHint(hasPrices: boolean): Markup {
  if (hasPrices) return html`<p class="empty">Nothing was read from the service yet.</p>`;
  return html`<div class="problem"><p>The configuration has no prices, so nothing is known of money. Write what a compute hour costs into the file of <code>--config.file</code>:</p>
<pre><code>${example}</code></pre>
<p>Then reload the configuration, or start the daemon again: what was used before is priced too. <code>dbpm-exporter check-config</code> says what is wrong in it.</p></div>`;
}
