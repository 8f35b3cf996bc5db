import { subtractDecimals } from '../../../cost/money/decimal-sum.ts';
import { sumDecimals } from '../../answer-field.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { costHint } from '../../part/cost-hint.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { showHours, showMoney, showMore, showShare } from '../../part/number.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { ShowbackAnswer, ShowbackPart, ShowbackQuery } from './showback-answer.ts';

type Showback = NonNullable<ShowbackAnswer['showback']>;

export function drawShowback(
  { has_prices, groupings, showback }: ShowbackAnswer,
  { path, query }: DrawContext<ShowbackQuery>,
): Markup {
  if (!has_prices) return costHint(false);
  if (showback === null)
    return html`<p class="m">The configuration has no groups. <a href="/help/configuration">Write the section <code>groups</code></a>, such as <code>groups: {team: {web: {projects: ["shop-*"]}}}</code>.</p>`;
  const { grouping, pages } = showback;
  const others = groupings.map(
    name =>
      html`<a href=${addressOf(path, { ...query, group: '', grouping: name })} aria-current=${name === grouping ? 'true' : null}>${shownName(name)}</a>`,
  );
  return html`${groupings.length > 1 && html`<nav class="seg mb" aria-label="Grouping">${others}</nav>`}
${query.group === '' ? drawGroups(showback, query, path) : html`<p class="crumb"><a href=${addressOf(path, { ...query, group: '' })}>All of ${shownName(grouping)}</a></p>`}
${pages.map(page => drawPage(page, showback))}`;
}

/** All groups with their totals, and the ways to files of them. */
function drawGroups(
  { pages, currency, grouping, period, generated_at }: Showback,
  query: ShowbackQuery,
  path: string,
) {
  const money = (decimal: string) => showMoney(decimal, currency);
  const sumOf = (decimals: readonly (string | null)[]) => sumDecimals(decimals) ?? '0';
  const rows = pages.toSorted((a, b) => Number(b.cost) - Number(a.cost));
  const [cost, hours] = [sumOf(rows.map(each => each.cost)), sumOf(rows.map(each => each.used_hours))];
  const isKnown = rows.every(each => each.cost_before !== null);
  const before = isKnown ? sumOf(rows.map(each => each.cost_before)) : null;
  // A period that goes on is not yet what the whole one before was.
  const isOver = period.until < generated_at;
  const isCompared = isOver && rows.every(each => each.is_before_whole);
  const changeOf = (now: string, was: string | null) =>
    was === null ? '' : showMore(subtractDecimals(now, was), currency);
  // One group alone has no sum of all.
  const below = (total: Content) => query.group === '' && { total };
  const asked = { period: query.period, account: query.account, grouping };
  const file = (format: string) => addressOf('/reports/showback', { ...asked, format });
  const months = addressOf('/report/months', { account: query.account, grouping, by: 'group' });
  return card(
    `By ${shownName(grouping)}`,
    html`${table({
      caption: 'What each group comes to',
      whenEmpty: 'No group has a project.',
      rows,
      columns: [
        {
          ...{ title: 'Group', ...below('All') },
          show: ({ group }) =>
            html`<a href=${addressOf(path, { ...query, group })}>${shownName(nameOf(group))}</a>`,
        },
        { number: 'Cost', ...below(money(cost)), show: each => html`<b>${money(each.cost)}</b>` },
        { number: 'Share', show: each => showShare(Number(each.cost) / (Number(cost) || 1)) },
        {
          ...{ number: 'Period before', ...below(before === null ? 'not known' : money(before)) },
          show: each => (each.cost_before === null ? 'not known' : money(each.cost_before)),
        },
        isCompared && {
          ...{ number: 'Change', ...below(changeOf(cost, before)) },
          show: each => changeOf(each.cost, each.cost_before),
        },
        {
          number: 'Compute hours',
          ...below(showHours(hours)),
          show: ({ used_hours }) => showHours(used_hours),
        },
      ],
    })}<div class="in"><p class="ways">These totals as <a href=${file('csv')} download>CSV</a> or <a href=${file('json')} download>JSON</a>, all pages as <a href=${file('html')} download>one file to send</a>, and <a href=${months}>all groups month over month</a>. Print this page for a sheet of each group.</p></div>`,
    { end: period.label !== query.period && period.label },
  );
}

/** An amount that the report wrote, as the console writes it; other words stay, with percents as elsewhere. */
function showAmount(text: string, currency: string | null): string {
  return /^-?[\d,]+\.\d+$|^-?[\d,]+$/.test(text)
    ? showMoney(text.replaceAll(',', ''), currency)
    : text.replace(/ %$/, '%');
}

/** A group without the name of its grouping. */
function nameOf(group: string): string {
  return group.slice(group.indexOf('/') + 1);
}

function drawPage(page: ShowbackPart, { currency }: Showback): Markup {
  const inMoney = (text: string) => showAmount(text, currency);
  const { group, figures, missing, notes } = page;
  return html`<article class="sheet"><h2>${shownName(nameOf(group))}</h2>
<div class="tiles">${figures.map(({ label, value, detail }) => html`<div class="tile"><h2>${label}</h2><p class="v">${inMoney(value)}</p><p class="x">${shownSentence(detail).replaceAll(' %', '%')}</p></div>`)}</div>
<div class="g g2">${drawProjects(page, inMoney)}${drawParts(page, inMoney)}</div>
${drawFindings(page)}
${drawSentences('What is missing', missing, 'notes warn')}
${drawSentences('Notes', notes, 'notes')}</article>`;
}

type ShowAmount = (text: string) => string;

function drawProjects(
  { group, projects, cost_title, before_title }: ShowbackPart,
  inMoney: ShowAmount,
): Markup {
  return card(
    'Projects',
    table({
      caption: `The dearest projects of ${shownName(nameOf(group))}`,
      whenEmpty: 'No project of the group used compute.',
      rows: projects,
      columns: [
        {
          title: 'Project',
          show: ({ account, project_id, name }) =>
            account === null || project_id === null
              ? name
              : html`<a href=${pathOf('projects', account, project_id)}>${shownName(name)}</a>`,
        },
        { number: 'Compute hours', show: ({ hours }) => hours },
        { number: cost_title, show: ({ cost }) => inMoney(cost) },
        { number: before_title, show: ({ before }) => inMoney(before) },
        { number: 'Change', isSparse: true, show: ({ change }) => inMoney(change) },
      ],
    }),
    { isFolded: true },
  );
}

function drawParts({ group, parts, total }: ShowbackPart, inMoney: ShowAmount): Markup {
  return card(
    'What it is made of',
    table({
      caption: `What the cost of ${shownName(nameOf(group))} is made of`,
      whenEmpty: 'Nothing.',
      rows: parts,
      columns: [
        { title: 'What', total: 'total', show: ({ what }) => shownSentence(what) },
        { number: 'Cost', total: inMoney(total), show: ({ cost }) => inMoney(cost) },
      ],
    }),
    { isFolded: true },
  );
}

function drawFindings({ findings }: ShowbackPart): Markup | null {
  if (findings.length === 0) return null;
  return card(
    'What could be saved',
    html`<ul class="rows">${findings.map(({ project, endpoint, saves, evidence, advice }) => html`<li class="two"><span class="t"><b>${shownName(project)}</b>${endpoint !== null && html` <code class="s">${shownName(endpoint)}</code>`}</span><span class="r">${saves}</span><span class="s">${shownSentence(evidence)} ${shownSentence(advice)}</span></li>`)}</ul>`,
    { isFolded: true, name: 'mb' },
  );
}

function drawSentences(title: string, sentences: readonly string[], name: string): Markup | null {
  if (sentences.length === 0) return null;
  return html`<section><h2>${title}</h2><ul class=${name}>${sentences.map(each => html`<li>${shownSentence(each)}</li>`)}</ul></section>`;
}
