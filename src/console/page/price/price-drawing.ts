import { periodName } from '../../../report/format/period-name.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import type { DrawContext } from '../../page.ts';
import { pathOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { codeBox } from '../../part/code-box.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showHours, showMoney, showMore } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { priceForm } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { PriceAnswer, PricedPeriod, PriceQuery } from './price-answer.ts';
import { drawPlanPrices } from './price-in-force.ts';

/** The prices in force, those that are tried, and what use comes to with both. */
export function drawPrices(answer: PriceAnswer, { query: asked }: DrawContext<PriceQuery>): Markup {
  const [first] = answer.in_force;
  const isAsked = asked.per_compute_hour !== '' || asked.book !== '';
  // One begins from what is in force.
  const query = isAsked || !first?.price ? asked : { ...asked, ...describeTried(first) };
  const [current] = answer.periods;
  const comesTo =
    current === undefined
      ? textCard('What it comes to', html`<p class="m">Write a price, or choose a price book.</p>`)
      : drawComesTo(answer, current, asked.book !== '');
  return html`${drawPlanPrices(answer.in_force, answer.other_prices)}
<div class=${current !== undefined && answer.has_prices ? 'g' : 'g g2'}>${textCard('Prices to try', priceForm(query, answer.has_prices))}
<div class="stack">${comesTo}</div></div>
${current !== undefined && html`${drawYaml(answer)}${drawProjects(answer, current)}${reportNotes(current)}`}`;
}

/** What is written into the form for a plan in force, as far as the form has it. */
function describeTried({ price, currency, included, base_fee }: PriceAnswer['in_force'][number]) {
  return {
    per_compute_hour: price ?? '',
    included_hours: included?.per === 'account' ? (included.compute_hours ?? '') : '',
    base_fee: base_fee ?? '',
    currency,
  };
}

/** What a period comes to with the prices that are tried, and with those in force. */
interface ComparedSum {
  readonly name: string;
  readonly detail: Content;
  readonly hours: string | null;
  readonly cost: string | null;
  readonly inForce: PricedPeriod['in_force'];
}

function drawComesTo(answer: PriceAnswer, { currency }: PricedPeriod, isBook: boolean): Markup {
  const { has_prices, periods, expected, expected_in_force } = answer;
  const rows: ComparedSum[] = periods.map(({ period, cost, used_hours, missing, in_force }) => ({
    name: capital(periodName(period.label)),
    detail: html`${periodText(period)}${missing.length > 0 && ', known in part'}`,
    ...{ hours: used_hours, cost, inForce: in_force },
  }));
  if (expected !== null)
    rows.push({
      name: 'Expected by the end of this billing period',
      ...{ detail: null, hours: null, cost: expected, inForce: expected_in_force },
    });
  const show = (cost: string | null, unit: string | null) =>
    cost === null ? 'not known' : showMoney(cost, unit);
  return card(
    'What it comes to',
    html`${table({
      caption: 'What billing periods come to',
      isStacked: true,
      rows,
      columns: [
        {
          title: 'Period',
          show: ({ name, detail }) =>
            html`<b>${name}</b>${detail && html`<br /><span class="s">${detail}</span>`}`,
        },
        { number: 'Compute hours', show: ({ hours }) => showHours(hours) },
        {
          number: has_prices ? 'With these prices' : 'Cost',
          show: ({ cost }) => show(cost, currency),
        },
        has_prices && {
          number: 'With those in force',
          show: ({ inForce }) => inForce && show(inForce.cost, inForce.currency),
        },
        has_prices && {
          number: 'Difference',
          show: ({ inForce }) => inForce?.difference && showMore(inForce.difference, inForce.currency),
        },
      ],
    })}${has_prices && !isBook && html`<p class="s in">Those in force are with all charges of the configuration.</p>`}`,
  );
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
