import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import type { OperationQuery, OperationsAnswer } from './operation-schema.ts';
import { operationTable } from './operation-table.ts';

const rangeWords = { '24h': 'the last 24 hours', '7d': 'the last 7 days', '30d': 'the last 30 days' };
const statusWords = {
  problems: 'failed, and in progress',
  failed: 'failed',
  in_progress: 'in progress',
  all: 'all of one project',
};

type Context = DrawContext<OperationQuery>;

export function drawOperations(answer: OperationsAnswer, context: Context): Markup {
  const { failed, in_progress, all } = answer;
  const isEmpty = failed === null && in_progress === null && all === null;
  return html`${filter(answer, context)}
${isEmpty && html`<p class="empty">There is no history yet.</p>`}
${failed && drawFailed(failed, context)}
${in_progress && drawOpen(answer, in_progress, context)}
${all && drawAll(all, context)}`;
}

function filter({ accounts, actions }: OperationsAnswer, { path, query }: Context): Markup {
  const { range, account, project, action, status } = query;
  const options = (words: readonly string[], all: string) => [
    { value: '', label: all },
    ...words.map(value => ({ value, label: value })),
  ];
  const named = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(([value, label]) => ({ value, label }));
  return filterForm({
    label: 'Filter of operations',
    path,
    fields: [
      { name: 'range', label: 'Time', value: range, options: named(rangeWords) },
      { name: 'status', label: 'Operations', value: status, options: named(statusWords) },
      { name: 'action', label: 'Action', value: action, options: options(withGiven(actions, action), 'all') },
      {
        name: 'account',
        label: 'Account',
        value: account,
        options: options(withGiven(accounts, account), 'all'),
      },
      { name: 'project', label: 'Project', value: project, hint: 'name or id' },
    ],
  });
}

/** The value of an address can be chosen, though nothing has it. */
function withGiven(words: readonly string[], given: string): readonly string[] {
  return given === '' || words.includes(given) ? words : [...words, given];
}

function drawFailed(failed: NonNullable<OperationsAnswer['failed']>, context: Context): Markup {
  const { query, now, path } = context;
  const { cursor: _, ...state } = query;
  const older = html`<p><a href=${addressOf(path, { ...state, range: '30d' })}>Look at the last 30 days</a></p>`;
  const count = `${failed.is_count_cut ? 'more than ' : ''}${showNumber(failed.count)}`;
  return html`<h2>Failed in ${rangeWords[query.range]}: ${count}</h2>
${operationTable({ caption: 'Operations that failed, the newest first', operations: failed.operations, whenEmpty: 'No operation failed.', now })}
${failed.count === 0 && query.range !== '30d' && older}
${leadOn(failed, 'failed', 'failed operations', context)}`;
}

function drawOpen(
  { stuck_after_ms }: OperationsAnswer,
  open: NonNullable<OperationsAnswer['in_progress']>,
  context: Context,
): Markup {
  const stuck = html`<p class="bad">${showNumber(open.stuck)} of them ${open.stuck === 1 ? 'is' : 'are'} stuck: in progress for more than ${showAge(stuck_after_ms)}. Nothing here can end them: the support of the service can, and asks for their ids.</p>`;
  return html`<h2>In progress: ${showNumber(open.count)}</h2>
${open.stuck > 0 && stuck}
${operationTable({ caption: 'Operations in progress, the oldest first', operations: open.operations, whenEmpty: 'No operation is in progress.', now: context.now })}
${leadOn(open, 'in_progress', 'operations in progress', context)}`;
}

function drawAll(all: NonNullable<OperationsAnswer['all']>, context: Context): Markup {
  return html`<h2>All operations begun in ${rangeWords[context.query.range]}</h2>
${operationTable({ caption: 'All operations of the project, the newest first', operations: all.operations, whenEmpty: 'None was begun.', now: context.now })}
${leadOn(all, 'all', 'operations', context)}`;
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
