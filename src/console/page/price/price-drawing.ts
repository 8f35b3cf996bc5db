import type { DrawContext } from '../../page.ts';
import { pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { showDecimal, showMoney } from '../../part/number.ts';
import { periodName } from '../../part/period-name.ts';
import { periodText } from '../../part/period-text.ts';
import { priceForm } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { PriceAnswer, PricedPeriod, PriceQuery } from './price-answer.ts';

export function drawPrices(answer: PriceAnswer, { query }: DrawContext<PriceQuery>): Markup {
  const [current] = answer.periods;
  return html`<div class="g g2"><section class="card"><header><h2>Prices to try</h2></header><div class="in">${priceForm(query)}</div></section>
${card({ title: 'What it comes to', content: current === undefined ? html`<p class="detail">Write a price, or choose a price book.</p>` : html`<ul class="rows">${answer.periods.map(drawPeriod)}</ul>` })}</div>
${current !== undefined && html`${drawYaml(answer)}${drawProjects(answer, current)}${reportNotes(current)}`}`;
}

function drawPeriod(priced: PricedPeriod): Markup {
  const { period, cost, used_hours, currency, missing } = priced;
  return html`<li class="two"><span class="t"><b>${periodName(period.label)}</b>${missing.length > 0 && html` <span class="s">known in part</span>`}</span><span class="r">${cost === null ? 'not known' : showMoney(cost, currency)}</span><span class="s">${used_hours !== null && `${showDecimal(used_hours)} compute hours, `}${periodText(period)}</span></li>`;
}

function drawYaml({ yaml, config_file, has_prices }: PriceAnswer): Markup {
  const where =
    config_file === null
      ? html`<p>There is no configuration file yet. Write the lines into a new one, such as <code>dbpm.yaml</code>, and start the daemon with <code>--config.file dbpm.yaml</code> or with <code>DBPM_CONFIG_FILE=dbpm.yaml</code> besides the flags and variables that it has: these stay as they are. In the Helm chart the same lines belong below <code>config</code>.</p>`
      : html`<p>${has_prices ? 'Write them in place of the section' : 'Write the lines into'} ${has_prices && html`<code>pricing</code> of `}<code>${shownName(config_file)}</code>, then reload the configuration by SIGHUP, or start the daemon again.</p>`;
  return html`<section class="card mb"><header><h2>To keep these prices</h2></header><div class="in"><pre tabindex="0"><code>${yaml}</code></pre>${where}<p class="detail">What was used before is priced, too. <code>dbpm-exporter check-config</code> says what is wrong in the file. Tiers, storage, fees and taxes are in <a href="/help/prices">Write a price book</a>.</p></div></section>`;
}

function drawProjects({ projects }: PriceAnswer, { currency }: PricedPeriod): Markup {
  return html`<section class="card"><header><h2>By project, this billing period</h2></header>${table({
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
      {
        title: 'Compute hours',
        isNumber: true,
        show: ({ used_hours }) => (used_hours === null ? '' : showDecimal(used_hours)),
      },
      {
        title: 'Cost',
        isNumber: true,
        show: ({ cost }) => (cost === null ? '' : showMoney(cost, currency)),
      },
    ],
  })}</section>`;
}
