import { periodName } from '../../../report/format/period-name.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { waterfall } from '../../part/chart/waterfall.ts';
import { filterForm } from '../../part/filter-form.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showHours, showMoney, showMoneyBriefly, showMore } from '../../part/number.ts';
import { periodText } from '../../part/period-name.ts';
import { priceBox } from '../../part/price-box.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { tileStrip } from '../../part/tile.ts';
import type { WhyAnswer, WhyCause, WhyQuery, WhyReport } from './why-answer.ts';

export function drawWhy(
  { has_prices, groups, why }: WhyAnswer,
  { path, query }: DrawContext<WhyQuery>,
): Markup {
  const all = { value: '', label: 'all' };
  return html`${filterForm({
    label: 'Which periods and group',
    path,
    fields: [
      ...(groups.length === 0
        ? []
        : [
            {
              ...{ name: 'group', label: 'Group', value: query.group },
              options: [all, ...groups.map(each => ({ value: each, label: each }))],
            },
          ]),
      {
        ...{ name: 'against', label: 'Compared with', hint: 'the one before' },
        ...{ value: query.against, usual: query.against },
      },
    ],
    kept: { period: query.period, account: query.account },
  })}
${drawTiles(why)}
${sayUnknown(why)}
${why.comparable && why.summary.length > 0 && textCard('In words', html`<ul class="summary">${why.summary.map(each => html`<li>${shownSentence(each)}</li>`)}</ul>`)}
${card(why.comparable ? 'From cause to cause' : 'What is known of the period', drawCauses(why), { name: 'why', end: html`All causes as <a href=${file(why, query, 'csv')} download>CSV</a> or <a href=${file(why, query, 'json')} download>JSON</a>` })}
${!has_prices && priceBox()}
${reportNotes(why)}`;
}

function file({ period }: WhyReport, { against, account, group }: WhyQuery, format: string): string {
  return addressOf('/reports/why', { period: period.label, against, account, group, format });
}

/** Why the difference is not wholly a difference, where it is not. */
function sayUnknown(why: WhyReport): Markup | null {
  if (why.missing.length === 0) return null;
  const more = html`<a href="#missing">What is missing</a>: ${shownSentence(why.missing[0] ?? '')}`;
  return why.comparable
    ? html`<p class="warn">The difference is not wholly known. ${more}</p>`
    : html`<p class="warn">Too little is known to compare the two periods. ${more}</p>`;
}

/** Money, or compute hours without prices. */
function amountsOf({ currency, cost, cost_before, used_hours, used_hours_before, ...why }: WhyReport) {
  return currency === null
    ? { was: used_hours_before ?? '0', is: used_hours ?? '0', more: why.compute_hours }
    : { was: cost_before ?? '0', is: cost ?? '0', more: why.difference };
}

function drawTiles(why: WhyReport): Markup {
  const { period, against, currency, comparable } = why;
  const { was, is, more } = amountsOf(why);
  return tileStrip([
    {
      title: 'Compared with',
      figure: comparable ? showMoney(was, currency) : 'not known',
      detail: periodText(against),
    },
    {
      title: currency === null ? 'Used in the period' : 'Cost of the period',
      ...{ figure: showMoney(is, currency), detail: periodText(period) },
    },
    ...(comparable && more !== null
      ? [{ title: 'Difference', figure: showMore(more, currency), detail: 'between the two periods' }]
      : []),
  ]);
}

/** A cause with all that it consists of, or one of the two periods. */
interface FallRow {
  readonly cause?: WhyCause;
  readonly parts: readonly WhyCause[];
  readonly name: Content;
  readonly amount: string | null;
}

/** From what the period before cost, by one cause after the other, to what this one did. */
function drawCauses(why: WhyReport): Markup {
  const { causes, currency, comparable, against, period } = why;
  const { was, is } = amountsOf(why);
  const wholes = causes.flatMap((cause, index) => (cause.level === 1 ? [{ cause, index }] : []));
  const changes = wholes.map(({ cause, index }, place): FallRow => {
    const parts = causes.slice(index + 1, wholes[place + 1]?.index ?? causes.length);
    return { cause, parts, name: nameOf(cause, comparable), amount: moreOf(cause, currency) };
  });
  const end = (name: string, amount: string) => ({ parts: [], name: html`<b>${name}</b>`, amount });
  const rows: readonly FallRow[] = comparable
    ? [end(capital(periodName(against.label)), was), ...changes, end(capital(periodName(period.label)), is)]
    : changes;
  const bars = waterfall(
    rows.map(({ amount, cause }) => ({ amount: Number(amount ?? 0), isSum: cause === undefined })),
    tick => showMoneyBriefly(tick, currency),
  );
  return table({
    caption: comparable
      ? 'Causes of the difference, the largest first'
      : `What the period ${currency === null ? 'used' : 'cost'}, the most first`,
    whenEmpty: 'Nothing changed, as far as is known.',
    isFolded: true,
    rows: rows.map((row, index) => ({ ...row, bar: bars.cells[index] })),
    columns: [
      { title: comparable ? 'Cause' : 'What', show: row => html`${row.name}${drawParts(row, currency)}` },
      { title: 'Since', isSparse: true, fold: 'no', show: ({ cause }) => instant(cause?.since ?? null) },
      {
        number: 'Hours',
        fold: 'no',
        isSparse: true,
        show: ({ cause }) =>
          currency !== null && cause?.compute_hours ? showHours(cause.compute_hours) : '',
      },
      {
        title: 'From one to the other',
        fold: 'no',
        scale: html`<div class="only-wide">${bars.head}</div>`,
        show: ({ bar }) => html`<div class="only-wide">${bar}</div>`,
      },
      {
        number: comparable ? 'Difference' : currency === null ? 'Used' : 'Cost',
        show: ({ cause, amount }) => {
          if (amount === null) return cause?.no_difference ?? '';
          return cause === undefined || !comparable
            ? showMoney(amount, currency)
            : showMore(amount, currency);
        },
      },
    ],
  });
}

function moreOf({ difference, compute_hours }: WhyCause, currency: string | null): string | null {
  return currency === null ? compute_hours : difference;
}

/** The evidence of a cause, and its parts, which add up to it. */
function drawParts({ cause, parts }: FallRow, currency: string | null): Content {
  const evidence = cause?.evidence ?? null;
  const [only] = parts;
  const said = evidence !== null && html`<div class="detail">${shownSentence(evidence)}</div>`;
  if (only === undefined) return said;
  return html`${said}<details class="detail"><summary>${parts.length === 1 ? shownName(only.cause) : `${parts.length} parts`}</summary><ul>${parts.map(part => html`<li class=${`level-${Math.min(part.level, 4)}`}>${shownName(part.cause)}${part.endpoint_id !== null && html` <code class="m">${shownName(part.endpoint_id)}</code>`}: ${sayPart(part, currency)}${part.since !== null && html`, since ${instant(part.since)}`}${part.until !== null && html`, until ${instant(part.until)}`}${part.awake_hours !== null && `, ${showHours(part.awake_hours)} hours awake`}.${part.evidence !== null && html` ${shownSentence(part.evidence)}`}</li>`)}</ul></details>`;
}

function sayPart(part: WhyCause, currency: string | null): string {
  const more = moreOf(part, currency);
  return more === null ? (part.no_difference ?? '') : showMore(more, currency);
}

/** @param isCompared whether there is a period before, in which a project can have been missing. */
function nameOf(
  { kind, cause, account, project_id, project_name, endpoint_id }: WhyCause,
  isCompared: boolean,
): Content {
  const isFirst = !isCompared && kind === 'new_project';
  const shown = shownName(isFirst ? (project_name ?? project_id ?? cause) : cause);
  const isProject = account !== null && project_id !== null && endpoint_id === null;
  return isProject ? html`<a href=${pathOf('projects', account, project_id)}>${shown}</a>` : shown;
}
