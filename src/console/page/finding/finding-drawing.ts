import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { bullet } from '../../part/chart/spark.ts';
import { countOf } from '../../part/count-word.ts';
import { choiceField, filterForm } from '../../part/filter-form.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { ago } from '../../part/instant.ts';
import { showHours, showMoney, showNumber } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { pager } from '../../part/pager.ts';
import { reportNotes } from '../../part/report-note.ts';
import { saySaving, showSavedHours, showSaving } from '../../part/saving.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import { maybeTerm } from '../../part/term.ts';
import { type Tile, tileStrip, weakCents } from '../../part/tile.ts';
import type { DoneFindings, FindingAnswer, FindingQuery, ShownFinding } from './finding-answer.ts';

/** Likely and at most are two bounds of one saving, and never added up. */
export function drawFindingHead(answer: FindingAnswer, { path }: DrawContext<FindingQuery>): PageHead {
  const { show, count, report } = answer;
  const { likely, most } = showSaving(answer, report?.currency ?? null);
  const isDone = show === 'done';
  const file = addressOf('/reports/findings', { format: 'csv', done: isDone ? 'yes' : '' });
  return {
    lead:
      count > 0 && !isDone && most !== undefined
        ? html`${likely === undefined ? 'At most ' : html`<strong>${likely}</strong> a month could likely be saved, at most `}${most}${likely === undefined && ' a month could be saved'}.`
        : undefined,
    actions: html`<nav class="seg" aria-label="Which findings"><a href=${path} aria-current=${isDone ? null : 'true'}>Open</a><a href=${addressOf(path, { show: 'done' })} aria-current=${isDone ? 'true' : null}>Done</a></nav><a class="btn" href=${file} download>CSV</a>`,
  };
}

export function drawFindings(answer: FindingAnswer, { path, query, now }: DrawContext<FindingQuery>): Markup {
  const { cursor, ...state } = query;
  const { show, findings, count, next_cursor, report } = answer;
  const columns = columnsOf(report?.currency ?? null, show, now);
  const isSized = (each: ShownFinding) =>
    show === 'done' || each.most_compute_hours_per_month !== null || each.most_cost_per_month !== null;
  const [sized = [], unsized = []] = [true, false].map(isMeant =>
    findings.filter(each => isSized(each) === isMeant),
  );
  const isFolded = sized.length > 0 && unsized.length >= leastFolded;
  return html`${drawTiles(answer)}
${drawFilter(answer, query, path)}
<section class="card mb"><header><h2>${show === 'open' ? 'What to do, the most first' : 'Done, the largest savings first'}</h2></header>${table(
    {
      caption:
        show === 'open' ? 'Findings, the dearest first' : 'Findings that are done, the largest savings first',
      whenEmpty: whenEmpty(query),
      isStacked: true,
      rows: isFolded ? sized : findings,
      columns,
    },
  )}${isFolded && drawUnsized(unsized, columns)}<footer>${pager({ path, state, cursor, nextCursor: next_cursor, shown: findings.length, total: count, noun: 'findings' })}</footer></section>
${drawDone(answer, query, path, now)}
${report !== null && reportNotes(report)}`;
}

type FindingColumns = readonly (TableColumn<ShownFinding> | false)[];

/** As many are worth a fold. */
const leastFolded = 3;

/** Findings whose saving is not known, which have less to be read. */
function drawUnsized(rows: readonly ShownFinding[], columns: FindingColumns): Markup {
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)].map(
    ([kind, own]) => `${showNumber(own.length)} ${kind.replaceAll('_', ' ')}`,
  );
  return html`<details class="more"><summary>What ${showNumber(rows.length)} more save is not known: ${kinds.join(', ')}</summary>${table({ caption: 'Findings whose saving is not known', isStacked: true, rows, columns })}</details>`;
}

/** Findings that were followed already, and what that saves: below the open ones. */
function drawDone({ done }: FindingAnswer, query: FindingQuery, path: string, now: number): Markup | null {
  if (done === null) return null;
  const { count, currency, cost_per_month: cost, compute_hours_per_month: hours, findings } = done;
  const money = cost === null || currency === null ? null : showMoney(cost, currency);
  const use = hours === null ? 'not known' : `${showHours(hours)} compute hours`;
  const all = addressOf(path, { ...query, show: 'done', cursor: '' });
  return html`<section class="card mb" id="done"><header><h2>Done, and what it saves</h2></header>
<p class="in">${showNumber(count)} finding${count === 1 ? ' is' : 's are'} done: the advice was followed. What that saves a month${money !== null && ', at the prices of now'}: <strong>${money ?? use}</strong>${money !== null && ` (${use})`}.</p>
${table({
  caption: 'Findings that are done, the largest savings first',
  isStacked: true,
  rows: findings,
  columns: columnsOf(currency, 'done', now),
})}
${count > findings.length && html`<footer><a class="a" href=${all}>All ${showNumber(count)} that are done</a></footer>`}</section>`;
}

function whenEmpty({ show, account, kind, group, project }: FindingQuery): string {
  if ([account, kind, group, project].some(each => each !== '')) return 'No finding is like that.';
  return show === 'open'
    ? 'Nothing was found that could be saved. Findings need three days of history.'
    : 'No finding was done in the last 60 days.';
}

function drawFilter({ kinds, groups }: FindingAnswer, query: FindingQuery, path: string): Markup {
  const choose = (words: readonly string[]) => [
    { value: '', label: 'all' },
    ...words.map(each => ({ value: each, label: each.replaceAll('_', ' ') })),
  ];
  return filterForm({
    label: 'Which findings',
    path,
    kept: { limit: query.limit, account: query.account },
    fields: [
      { name: 'project', label: 'Project', value: query.project, hint: 'name or id' },
      { name: 'kind', label: 'Kind', value: query.kind, options: choose(kinds) },
      ...(groups.length > 0
        ? [
            choiceField(
              { name: 'group', label: 'Group', value: query.group, hint: 'part of it' },
              groups.map(each => ({ value: each, label: each })),
            ),
          ]
        : []),
    ],
  });
}

const noPrices = html`<a href="/cost">Without prices there is no money</a>`;
const unknown = html`<span class="m">not known</span>`;

function drawTiles(answer: FindingAnswer): Markup {
  const { show, count, report, done } = answer;
  const currency = report?.currency ?? null;
  return tileStrip([
    ...(show === 'done'
      ? [describeSaved('Saved a month', answer, currency)]
      : describeSavings(answer, currency)),
    { title: show === 'open' ? 'Findings' : 'Done', figure: showNumber(count) },
    ...(done === null ? [] : [describeDoneSaving(done)]),
  ]);
}

function describeSaved(
  title: string,
  {
    cost_per_month: cost,
    compute_hours_per_month: hours,
  }: Pick<FindingAnswer, 'cost_per_month' | 'compute_hours_per_month'>,
  currency: string | null,
): Tile {
  const hourText = hours === null ? unknown : html`${showHours(hours)} compute hours`;
  const isPriced = cost !== null && currency !== null;
  return {
    title,
    figure: isPriced ? weakCents(cost, currency) : hourText,
    ...(isPriced && { detail: hourText }),
  };
}

/** Solid is likely and hatched is at most: both are of the same bar. */
function describeSavings(answer: FindingAnswer, currency: string | null): readonly Tile[] {
  const [money, hours] = [showSaving(answer, currency), showSavedHours(answer)];
  const { cost_per_month, most_cost_per_month, compute_hours_per_month, most_compute_hours_per_month } =
    answer;
  const isPriced = most_cost_per_month !== null && currency !== null;
  const [likely, most] = isPriced
    ? [cost_per_month, most_cost_per_month]
    : [compute_hours_per_month, most_compute_hours_per_month];
  const drawing =
    most !== null &&
    bullet({
      label: `${money.likely ?? 'not known'} likely, ${money.most} at most`,
      value: Number(likely ?? 0),
      expected: Number(most),
      isSaved: true,
    });
  const describe = (title: string, figure: string | undefined, inHours: string | undefined): Tile => ({
    title,
    figure: figure ?? unknown,
    detail: isPriced ? inHours : !answer.has_prices && noPrices,
  });
  return [
    { ...describe('Likely saved a month', money.likely, hours.likely), drawing },
    describe('Saved a month at most', money.most, hours.most),
  ];
}

function describeDoneSaving(done: DoneFindings): Tile {
  const { count, currency } = done;
  return {
    ...describeSaved('Saved a month by those done', done, currency),
    detail: html`by <a href="#done">${countOf(count, 'finding')}</a> that ${count === 1 ? 'was' : 'were'} followed`,
  };
}

function columnsOf(currency: string | null, show: 'open' | 'done', now: number): FindingColumns {
  const isDone = show === 'done';
  return [
    { title: 'What', show: ({ kind }) => maybeTerm(kind) },
    { title: 'Where', show: placeOf },
    isDone && { number: 'Saved a month', show: each => savedOf(each, currency) },
    isDone && { title: 'Advice followed', show: ({ done_at }) => followedOn(done_at, now) },
    isDone && { number: 'Claimed', show: sayClaimed },
    !isDone && { number: 'Likely a month', show: each => savingOf(each, currency, 'likely') },
    !isDone && { number: 'At most a month', show: each => savingOf(each, currency, 'most') },
    { title: isDone ? 'Evidence' : 'Evidence, and what to do', show: reasonOf },
  ];
}

/** The day, as the evidence has the days before and after it. */
function followedOn(at: string | null, now: number): Content {
  return at === null ? '' : html`${at.slice(0, 10)}<span class="s">${ago(at, now)}</span>`;
}

function sayClaimed(finding: ShownFinding): string {
  const { claimed_compute_hours_per_month: likely, most_claimed_compute_hours_per_month: most } = finding;
  return saySaving(showSavedHours({ compute_hours_per_month: likely, most_compute_hours_per_month: most }));
}

function savedOf(
  { cost_per_month, no_cost, compute_hours_per_month }: ShownFinding,
  currency: string | null,
): Content {
  const hours = compute_hours_per_month === null ? '' : `${showHours(compute_hours_per_month)} hours`;
  if (cost_per_month === null || currency === null) {
    return html`${hours === '' ? 'not known' : hours}${no_cost !== null && html` <span class="m">${no_cost}</span>`}`;
  }
  return html`<strong>${showMoney(cost_per_month, currency)}</strong>${hours !== '' && html`<span class="s">${hours}</span>`}`;
}

/** One of the two figures of a saving, in money above hours. */
function savingOf(finding: ShownFinding, currency: string | null, bound: 'likely' | 'most'): Content {
  const money = showSaving(finding, currency)[bound];
  const hours = showSavedHours(finding)[bound];
  if (money === undefined) return html`<span class="m">not known</span>`;
  const { no_cost, most_cost_per_month: cost } = finding;
  if (cost === null) return html`${money}${no_cost !== null && html` <span class="m">${no_cost}</span>`}`;
  return html`<strong>${money}</strong>${hours !== undefined && html`<span class="s">${hours}</span>`}`;
}

function placeOf({ account, project_id, project_name, endpoint_id }: ShownFinding): Content {
  return html`<a href=${pathOf('projects', account, project_id)}>${shownName(project_name ?? project_id)}</a> <span class="m">${shownName(account)}</span>${endpoint_id !== null && html`<div><code class="m">${shownName(endpoint_id)}</code></div>`}`;
}

/** The evidence of a finding, with its advice. On a phone the advice is in sight, and a tap on it opens the evidence. */
function reasonOf({ evidence, advice }: ShownFinding): Content {
  return onTap(
    advice === null ? 'Evidence' : shownSentence(advice),
    html`${shownSentence(evidence ?? '')}${advice !== null && html`<div class="advice"><strong>${shownSentence(advice)}</strong></div>`}`,
  );
}
