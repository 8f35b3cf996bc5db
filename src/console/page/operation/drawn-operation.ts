import { capital } from '../../../report/format/shown-cell.ts';
import { hourMs } from '../../../resources/duration.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { countOf } from '../../part/count-word.ts';
import { filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { AlikeAnswer, OperationQuery, OperationsAnswer } from './operation-answer.ts';
import { hasNoSuccess, operationTable } from './operation-table.ts';

const rangeWords = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
const statusWords = {
  problems: 'Failed, and in progress',
  failed: 'Failed',
  in_progress: 'In progress',
  all: 'All',
} as const;

type Context = DrawContext<OperationQuery>;

/** A title that counts the problems and names the filters. */
export function titleOfOperations(answer: OperationsAnswer, { query }: Context): string {
  if (isOfNone(answer)) return 'Operations';
  return [sayProblems(answer), ...sayFilter(query)].join(': ');
}

function sayFilter({ action, project, region, cause }: OperationQuery): string[] {
  const parts = [
    action !== '' && `action ${shownName(action)}`,
    project !== '' && `project ${shownName(project)}`,
    region !== '' && `region ${shownName(region)}`,
    cause !== '' && `the service said ${cause === 'none' ? 'nothing' : `“${shownName(cause)}”`}`,
  ].filter(part => part !== false);
  return parts.length === 0 ? [] : [parts.join(', ')];
}

function sayProblems({ failed, in_progress, from, until }: OperationsAnswer): string {
  if (failed === null && in_progress === null) return 'Operations';
  const stuck = in_progress?.stuck ?? 0;
  const stuckWords = `${countOf(stuck, 'operation')} ${stuck === 1 ? 'is' : 'are'} stuck`;
  if (failed === null) return stuck === 0 ? 'No operation is stuck' : stuckWords;
  const hours = Math.round((Date.parse(until) - Date.parse(from)) / hourMs);
  const time = hours <= 24 ? `${hours} hours` : `${hours / 24} days`;
  const more = failed.is_count_cut ? 'more than ' : '';
  if (stuck > 0)
    return `${stuckWords}, ${failed.count === 0 ? 'none' : `${more}${showNumber(failed.count)}`} failed in ${time}`;
  if (failed.count === 0)
    return `No operation failed in ${time}${in_progress === null ? '' : ', and none is stuck'}`;
  return `${capital(more)}${countOf(failed.count, 'operation')} failed in ${time}`;
}

/** Whether no project has what was asked for in its name or id. */
function isOfNone({ alike_projects }: OperationsAnswer): boolean {
  return alike_projects?.length === 0;
}

/** Times and kinds to choose from; all operations are listed of one project alone. */
export function headOfOperations(_answer: OperationsAnswer, { path, query }: Context): PageHead {
  const { cursor: _first, range, status, ...state } = query;
  const segments = <Word extends string>(
    label: string,
    words: Readonly<Record<Word, string>>,
    chosen: Word,
    addressFor: (word: Word) => string,
  ) =>
    html`<nav class="seg" aria-label=${label}>${(Object.keys(words) as Word[]).map(word => html`<a href=${addressFor(word)} aria-current=${word === chosen ? 'true' : null}>${words[word]}</a>`)}</nav>`;
  const { all, ...ofMany } = statusWords;
  const offered: Readonly<Record<string, string>> = query.project === '' ? ofMany : { ...ofMany, all };
  return {
    actions: html`${segments<string>('Operations', offered, status, word => addressOf(path, { ...state, range, status: word }))}${status !== 'in_progress' && segments('Time', rangeWords, range, word => addressOf(path, { ...state, status, range: word }))}`,
  };
}

export function drawOperations(answer: OperationsAnswer, context: Context): Markup {
  const { failed, in_progress, all, alike_projects } = answer;
  const { query } = context;
  if (isOfNone(answer))
    return html`${filter(answer, context)}<p class="m">No project has “${shownName(query.project)}” in its name or id.</p>`;
  const isEmpty = failed === null && in_progress === null && all === null && alike_projects === null;
  return html`${filter(answer, context)}
${isEmpty && html`<p class="m">There is no history yet.</p>`}
${query.status === 'all' && alike_projects && offerProjects(alike_projects, context)}
${in_progress && drawOpen(answer, in_progress, context)}
${failed && drawFailed(failed, context)}
${all && drawAll(all, context)}`;
}

/** All operations are listed of one project. */
function offerProjects(
  projects: NonNullable<OperationsAnswer['alike_projects']>,
  { path, query: { cursor: _, ...state } }: Context,
): Markup {
  return html`<section class="card mb"><header><h2>All operations of which project?</h2></header><ul class="rows">${projects.map(({ account, project_id, project_name }) => html`<li class="two"><span class="t"><a href=${addressOf(path, { ...state, account, project: project_id })}><b>${shownName(project_name ?? project_id)}</b></a> <span class="s">${shownName(project_id)}</span></span><span class="r s">${shownName(account)}</span></li>`)}</ul></section>`;
}

function filter({ actions }: OperationsAnswer, { path, query }: Context): Markup {
  const { range, status, account, project, action, region, cause } = query;
  const options = (words: readonly string[], all: string) => [
    { value: '', label: all },
    ...words.map(value => ({ value, label: value })),
  ];
  const given = (name: string, label: string, value: string) =>
    value === '' ? [] : [{ name, label, value, options: options([value], 'all') }];
  return filterForm({
    label: 'Filter of operations',
    path,
    fields: [
      { name: 'action', label: 'Action', value: action, options: options(withGiven(actions, action), 'all') },
      { name: 'project', label: 'Project', value: project, hint: 'part of name or id' },
      ...given('region', 'Region', region),
      ...given('cause', 'The service said', cause),
    ],
    kept: { range, status, account },
  });
}

/** The value of an address can be chosen, though nothing has it. */
function withGiven(words: readonly string[], given: string): readonly string[] {
  return given === '' || words.includes(given) ? words : [...words, given];
}

/** A list that is longer is folded, unless it is of one group already. */
const longList = 12;

function drawFailed(failed: NonNullable<OperationsAnswer['failed']>, context: Context): Markup {
  const { query, now, path } = context;
  const { cursor: _, ...state } = query;
  const older = html`<div class="in"><p><a href=${addressOf(path, { ...state, range: '30d' })}>Look at the last 30 days</a></p></div>`;
  const count = `${failed.is_count_cut ? 'more than ' : ''}${countOf(failed.count, 'operation')}`;
  const list = operationTable({
    caption: 'Operations that failed: with no success since, and then the newest',
    operations: failed.operations.toSorted((a, b) => Number(hasNoSuccess(b)) - Number(hasNoSuccess(a))),
    whenEmpty: 'No operation failed.',
    now,
  });
  const isFolded = failed.count > longList && failed.alike.length > 1 && query.cursor === '';
  const singles = html`${list}${leadOn(failed, 'failed', 'failed operations', context)}`;
  return html`<section class="card mb"><header>${failed.count > 0 ? icon('warn', 'warn') : icon('note')}<h2>Failed in ${rangeWords[query.range]}</h2><span class="end">${count}${failed.count > 0 && fileLink(query)}</span></header>
${isFolded ? html`${drawAlike(failed.alike, context)}<details class="in"><summary>The newest ${showNumber(failed.operations.length)}, one by one</summary>${singles}</details>` : singles}
${failed.count === 0 && query.range !== '30d' && older}</section>`;
}

/** All of them as the report has them: it knows no filter but the account. */
function fileLink({ range, account, action, project, region, cause }: OperationQuery): Markup | false {
  if ([action, project, region, cause].some(each => each !== '')) return false;
  const asked = { by: 'operation', failed: 'yes', format: 'csv', account };
  return html` <a class="btn" href=${addressOf('/reports/operations', { ...asked, period: `last-${range}` })} download>CSV</a>`;
}

/** What failed alike, the most frequent first: each row leads to its operations. */
function drawAlike(alike: readonly AlikeAnswer[], { path, query, now }: Context): Markup {
  const { cursor: _first, ...state } = query;
  const address = ({ action, region_id, cause }: AlikeAnswer) =>
    addressOf(path, { ...state, status: 'failed', action, region: region_id ?? undefined, cause });
  return table({
    caption: 'What failed alike, the most frequent first',
    whenEmpty: '',
    isStacked: true,
    rows: alike,
    columns: [
      { title: 'Action', show: each => html`<a href=${address(each)}><b>${shownName(each.action)}</b></a>` },
      { title: 'Region', show: ({ region_id }) => shownName(region_id ?? 'not known') },
      alike.some(({ cause }) => cause !== 'none') && {
        title: 'The service said',
        show: ({ cause }) => (cause === 'none' ? 'nothing' : shownName(cause)),
      },
      { number: 'Failed', show: each => showNumber(each.failed) },
      { number: 'Projects', show: each => showNumber(each.projects) },
      { number: 'First', show: each => ago(each.first, now) },
      { number: 'Last', show: each => ago(each.last, now) },
    ],
  });
}

function drawOpen(
  { stuck_after_ms }: OperationsAnswer,
  open: NonNullable<OperationsAnswer['in_progress']>,
  context: Context,
): Markup {
  const stuck = html`<div class="in"><p>${showNumber(open.stuck)} of them ${open.stuck === 1 ? 'is' : 'are'} stuck: in progress for more than ${showAge(stuck_after_ms)}. The API of the service cannot cancel an operation. Its support can: write to it with the ids of these operations.</p></div>`;
  return html`<section class="card mb"><header>${open.stuck > 0 ? icon('crit', 'crit') : icon('note')}<h2>In progress</h2><span class="end">${countOf(open.count, 'operation')}</span></header>
${open.stuck > 0 && stuck}
${operationTable({ caption: 'Operations in progress, the oldest first', operations: open.operations, whenEmpty: 'No operation is in progress.', now: context.now })}
${leadOn(open, 'in_progress', 'operations in progress', context)}</section>`;
}

function drawAll(all: NonNullable<OperationsAnswer['all']>, context: Context): Markup {
  return html`<section class="card mb"><header><h2>Begun in ${rangeWords[context.query.range]}</h2></header>
${operationTable({ caption: 'All operations of the project, the newest first', operations: all.operations, whenEmpty: 'None was begun.', now: context.now })}
${leadOn(all, 'all', 'operations', context)}</section>`;
}

interface Part {
  readonly count?: number;
  readonly is_count_cut?: boolean;
  readonly operations: readonly unknown[];
  readonly next_cursor: string | null;
}

/** The next part of a list is of this list alone. */
function leadOn(part: Part, status: OperationQuery['status'], noun: string, { path, query }: Context) {
  const { cursor, ...state } = query;
  if (query.status === 'problems' && part.next_cursor !== null) {
    return html`<nav class="pager" aria-label=${`Parts of the list of ${noun}`}><span>The first ${showNumber(part.operations.length)}.</span>
<a rel="next" href=${addressOf(path, { ...state, status, cursor: part.next_cursor })}>Next ${noun}</a></nav>`;
  }
  return pager({
    path,
    state,
    cursor,
    nextCursor: part.next_cursor,
    shown: part.operations.length,
    ...(part.count !== undefined && part.is_count_cut !== true && { total: part.count }),
    noun,
  });
}
