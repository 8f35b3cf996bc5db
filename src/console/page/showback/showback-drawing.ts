import { subtractDecimals } from '../../../cost/money/decimal-sum.ts';
import type { Block, BlockRow, TableBlock } from '../../../report/format/block.ts';
import { layOut } from '../../../report/format/showback-page.ts';
import { capital } from '../../../report/format/shown-cell.ts';
import { sumDecimals } from '../../answer-value.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showHours, showMoney, showMore, showShare } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { periodText } from '../../part/period-name.ts';
import { costHint } from '../../part/price-box.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { restOf, type TableColumn, table } from '../../part/table.ts';
import type { ShowbackAnswer, ShowbackPart, ShowbackQuery } from './showback-answer.ts';

type Showback = NonNullable<ShowbackAnswer['showback']>;

export function drawShowback(
  { has_prices, groupings, showback }: ShowbackAnswer,
  { path, query }: DrawContext<ShowbackQuery>,
): Markup {
  if (!has_prices) return costHint(false);
  if (showback === null)
    return html`<p class="m">The configuration has no groups. <a href="/help/configuration">Write the section <code>groups</code></a>, such as <code>groups: {team: {web: {projects: ["shop-*"]}}}</code>.</p>`;
  const { grouping } = showback;
  const pages = showback.pages.toSorted((a, b) => Number(b.cost) - Number(a.cost));
  const others = groupings.map(
    name =>
      html`<a href=${addressOf(path, { ...query, group: '', grouping: name })} aria-current=${name === grouping ? 'true' : null}>${shownName(name)}</a>`,
  );
  const sheets = pages.map(page => drawPage(page, showback));
  return html`${groupings.length > 1 && html`<nav class="seg mb" aria-label="Grouping">${others}</nav>`}
${query.group === '' ? drawGroups({ ...showback, pages }, query, path) : html`<p class="crumb"><a href=${addressOf(path, { ...query, group: '' })}>All of ${shownName(grouping)}</a></p>`}
${pages.length > 1 ? onTap('The sheet of each group', sheets) : sheets}`;
}

interface Compared {
  readonly before: string;
  readonly change: string;
  readonly nowOf: (part: ShowbackPart) => string;
  readonly beforeOf: (part: ShowbackPart) => string | null;
}

const inAll: Compared = {
  ...{ before: 'Period before', change: 'Change' },
  nowOf: ({ cost }) => cost,
  beforeOf: ({ cost_before }) => cost_before,
};

/** While a period goes on: charges may come with its end, so that use alone can be compared. */
const soFar: Compared = {
  ...{ before: 'Use in the same time before', change: 'Change of use' },
  nowOf: ({ use_cost }) => use_cost,
  beforeOf: ({ use_cost_before }) => use_cost_before,
};

/** All groups with their totals, and the ways to files of them. */
function drawGroups(
  { pages: rows, currency, grouping, period, generated_at }: Showback,
  query: ShowbackQuery,
  path: string,
) {
  const money = (decimal: string) => showMoney(decimal, currency);
  const sumOf = (decimals: readonly (string | null)[]) => sumDecimals(decimals) ?? '0';
  const [cost, hours] = [sumOf(rows.map(each => each.cost)), sumOf(rows.map(each => each.used_hours))];
  const isOver = period.until < generated_at;
  const isComparable = rows.every(each => each.is_before_whole);
  const { nowOf, beforeOf, ...titles } = isComparable && !isOver ? soFar : inAll;
  const isKnown = rows.every(each => beforeOf(each) !== null);
  const before = isKnown ? sumOf(rows.map(beforeOf)) : null;
  const changeOf = (now: string, was: string | null) =>
    was === null ? '' : showMore(subtractDecimals(now, was), currency);
  // One group alone has no sum of all.
  const below = (total: Content) => query.group === '' && { total };
  const asked = { period: query.period, account: query.account, grouping };
  const file = (format: string) => addressOf('/reports/showback', { ...asked, format });
  const columns: readonly (TableColumn<ShowbackPart> | false)[] = [
    {
      ...{ title: 'Group', ...below('All') },
      show: ({ group }) =>
        html`<a href=${addressOf(path, { ...query, group })}>${shownName(nameOf(group))}</a>`,
    },
    { number: 'Cost', ...below(money(cost)), show: each => html`<b>${money(each.cost)}</b>` },
    { number: 'Share', fold: 'no', show: each => showShare(Number(each.cost) / (Number(cost) || 1)) },
    {
      ...{ number: isOver || isComparable ? titles.before : 'Whole period before', fold: 'no' },
      ...below(before === null ? 'not known' : money(before)),
      show: each => showMoney(beforeOf(each), currency) || 'not known',
    },
    isComparable && {
      ...{ number: titles.change, fold: 'l2', ...below(changeOf(sumOf(rows.map(nowOf)), before)) },
      show: each => changeOf(nowOf(each), beforeOf(each)),
    },
    {
      ...{ number: 'Compute hours', fold: 'no', ...below(showHours(hours)) },
      show: ({ used_hours }) => showHours(used_hours),
    },
  ];
  const months = addressOf('/report/months', { account: query.account, grouping, by: 'group' });
  return card(
    `By ${shownName(grouping)}`,
    html`${table({
      caption: 'What each group comes to',
      whenEmpty: 'No group has a project.',
      isFolded: true,
      rows,
      columns: [...columns, restOf(columns)],
    })}<div class="in"><p class="ways">These totals as <a href=${file('csv')} download>CSV</a> or <a href=${file('json')} download>JSON</a>, all pages as <a href=${file('html')} download>one file to send</a>, and <a href=${months}>all groups month over month</a>. Print this page for a sheet of each group.</p></div>`,
    { end: period.label !== query.period && period.label },
  );
}

/** An amount or a change that the report wrote, as the console writes it; other words stay. */
function showAmount(text: string, currency: string | null): string {
  if (/^-[\d,.]+%$/.test(text)) return text.replace('-', '−');
  return /^-?[\d,]+\.\d+$|^-?[\d,]+$/.test(text) ? showMoney(text.replaceAll(',', ''), currency) : text;
}

/** A group without the name of its grouping. */
function nameOf(group: string): string {
  return group.slice(group.indexOf('/') + 1);
}

function drawPage(page: ShowbackPart, { currency, period }: Showback): Markup {
  const name = shownName(nameOf(page.group));
  const draw = (block: Block) => drawBlock(block, name, text => showAmount(text, currency));
  const [figures, parts, projects, ...others] = layOut(page, '').blocks.map(draw);
  return html`<article class="sheet"><h2>${name}</h2>
<p class="printed">Showback of ${shownName(page.group)}, ${periodText(period)}, by dbpm-exporter</p>
${figures}
<div class="g g2">${projects}${parts}</div>
${others}</article>`;
}

function drawBlock(block: Block, group: string, inMoney: (text: string) => string): Markup | null {
  switch (block.kind) {
    case 'figures':
      return html`<div class="tiles">${block.figures.map(({ label, value, detail }) => html`<div class="tile"><h2>${label}</h2><p class="v">${inMoney(value)}</p><p class="x">${shownSentence(detail)}</p></div>`)}</div>`;
    case 'table':
      return drawTable(block, group, inMoney);
    case 'items':
      if (block.items.length === 0) return null;
      return card(
        block.title,
        html`<ul class="rows">${block.items.map(({ name, id, value, sentences }) => html`<li class="two"><span class="t"><b>${shownName(name)}</b>${id !== undefined && html` <code class="s">${shownName(id)}</code>`}</span><span class="r">${value}</span><span class="s">${sentences.map(shownSentence).join(' ')}</span></li>`)}</ul>`,
        { isFolded: true, name: 'mb' },
      );
    case 'list':
      if (block.sentences.length === 0) return null;
      return html`<section><h2>${block.title}</h2><ul class=${block.isWarning ? 'notes warn' : 'notes'}>${block.sentences.map(each => html`<li>${shownSentence(each)}</li>`)}</ul></section>`;
  }
}

function drawTable(block: TableBlock, group: string, inMoney: (text: string) => string): Markup {
  const { title = '', columns, rows, totals, whenEmpty } = block;
  const amounts = columns.flatMap(({ kind }, place) => (kind === 'money' ? [place] : []));
  const drawn = columns.map((column, place): TableColumn<BlockRow> => {
    const show = (text = '') => (column.kind === 'text' || column.kind === 'number' ? text : inMoney(text));
    const isFirst = place === 0 || place === amounts[0];
    return {
      [column.kind === 'text' ? 'title' : 'number']: capital(column.title),
      isSparse: true,
      // The last amount is the change.
      ...(!isFirst && { fold: place === amounts.at(-1) ? 'l2' : 'no' }),
      ...(totals && { total: show(totals[place]) }),
      show: ({ cells, project }) =>
        place === 0 && project !== undefined
          ? html`<a href=${pathOf('projects', project.account, project.project_id)}>${shownName(cells[0] ?? '')}</a>`
          : show(cells[place]),
    };
  });
  const content = table({
    ...{ caption: `${title}, ${group}`, whenEmpty, rows, isFolded: true },
    columns: [...drawn, restOf(drawn)],
  });
  return card(title, content, { isFolded: true });
}
