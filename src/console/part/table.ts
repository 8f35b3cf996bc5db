import { addressOf } from './address.ts';
import { type FilterField, filterForm } from './filter-form.ts';
import { type Content, html, type Markup } from './html.ts';
import { showNumber } from './number.ts';
import { term } from './term.ts';
import type { WordId } from './word/word-list.ts';

/** A column of a table of things of one kind. */
export interface TableColumn<Row> {
  /** The word the column is sorted by; absent where it cannot be. */
  readonly sort?: string;
  readonly title?: string;
  /** The title of a column of numbers, which stand to the right. */
  readonly number?: string;
  /** Drawn below the title, such as a scale. */
  readonly scale?: Markup;
  /** The word of the title that is explained, where it is not sorted by. */
  readonly word?: WordId;
  /** Its place in a folded row: `no` on none, `l2` on the second line, `all` across. */
  readonly fold?: 'no' | 'l2' | 'all';
  /** Whether it is left out where no row has anything in it. */
  readonly isSparse?: boolean;
  readonly show: (row: Row) => Content;
  /** Below all rows; a row of totals is drawn where a column has one. */
  readonly total?: Content;
}

/** How a table is sorted now, and the address of the page that sorts it otherwise. */
interface TableOrder {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly path: string;
  /** The rest of the state of the page. */
  readonly state: Readonly<Record<string, string | number | undefined>>;
}

export interface TableOptions<Row> {
  /** A sentence on what the table has, which readers of the screen hear first. */
  readonly caption: string;
  /** Those that are not meant are `false`. */
  readonly columns: readonly (TableColumn<Row> | false)[];
  readonly rows: readonly Row[];
  /** What rows belong together by, in the order of the rows, and the heading above the first of them; absent where all are alike. */
  readonly group?: {
    readonly of: (row: Row) => string;
    readonly heading: (first: Row) => Markup;
  };
  /** Said in its place where there are no rows; absent where that cannot be. */
  readonly whenEmpty?: string;
  readonly ordered?: TableOrder;
  /** Whether each row is a card of its own where the window is narrow. */
  readonly isStacked?: boolean;
  /** Whether each row is two lines there. */
  readonly isFolded?: boolean;
  /** Rows that are in sight there before a tap shows all. */
  readonly firstRows?: number;
}

/** Rows that fill a phone once or twice: a card is higher than two lines. */
export const firstCards = 8;
const firstLines = 20;

/** Rows after the first ones, where as many are worth a tap. */
export function countMore(rows: number, firstRows: number): number {
  return rows - firstRows < 3 ? 0 : rows - firstRows;
}

/** A table of things of one kind; its columns sort by links, so that the address says how. */
export function table<Row>(options: TableOptions<Row>): Markup {
  const { caption, rows, group, whenEmpty, ordered, isStacked, isFolded } = options;
  const { firstRows = isFolded ? firstLines : isStacked ? firstCards : rows.length } = options;
  if (rows.length === 0) return html`<p class="m">${whenEmpty}</p>`;
  const isKept = ({ isSparse, show }: TableColumn<Row>) =>
    !isSparse || rows.some(row => !isNothing(show(row)));
  const columns = options.columns.filter(each => each !== false).filter(isKept);
  const more = countMore(rows.length, firstRows);
  const rest = new Set(rows.slice(rows.length - more));
  const drawRow = (row: Row) =>
    html`<tr class=${rest.has(row) ? 'rest' : null}>${columns.map(column => html`<td class=${classOf(column)} data-title=${isStacked ? titleOf(column) : null}>${column.show(row)}</td>`)}</tr>`;
  const drawHeading = (first: Row) =>
    group &&
    html`<tr class=${rest.has(first) ? 'group rest' : 'group'}><th scope="rowgroup" colspan=${columns.length}>${group.heading(first)}</th></tr>`;
  const hasTotals = columns.some(({ total }) => total !== undefined);
  return html`${isStacked && ordered && chooseOrder(columns, ordered)}<div class="wide" tabindex="0" role="region" aria-label=${caption}><table class=${isFolded ? 'fold' : isStacked ? 'stacked' : null}>
<caption>${caption}</caption>
<thead><tr>${columns.map(column => heading(column, ordered))}</tr></thead>
${[...Map.groupBy(rows, row => group?.of(row)).values()].map(own => html`<tbody>${own.slice(0, 1).map(drawHeading)}${own.map(drawRow)}</tbody>`)}
${hasTotals && html`<tfoot><tr>${columns.map(column => html`<td class=${classOf(column)} data-title=${isStacked ? titleOf(column) : null}>${column.total}</td>`)}</tr></tfoot>`}
</table>${more > 0 && html`<details class="more ph"><summary>${showNumber(more)} more</summary></details>`}</div>`;
}

/** What a folded row leaves out, on a tap, where that is anything; something may stand before it. */
export function restOf<Row>(
  columns: readonly (TableColumn<Row> | false)[],
  before: (row: Row) => Content = () => null,
): TableColumn<Row> | false {
  const left = columns.filter(each => each !== false).filter(({ fold }) => fold === 'no');
  if (left.length === 0) return false;
  const show = (row: Row) =>
    html`<details class="ph"><summary><span>more</span><span>less</span></summary><dl class="facts">${before(row)}${left.map(column => html`<dt>${titleOf(column)}</dt><dd>${column.show(row)}</dd>`)}</dl></details>`;
  return { title: '', fold: 'all', show };
}

function isNothing(content: Content): boolean {
  return content === '' || content === null || content === undefined || content === false;
}

/** Where each row is a card there are no headings to sort by. */
function chooseOrder<Row>(
  columns: readonly TableColumn<Row>[],
  { sort, order, path, state }: TableOrder,
): Markup {
  const sorts = columns.flatMap(column =>
    column.sort === undefined ? [] : [{ value: column.sort, label: titleOf(column) }],
  );
  const isAsMade = sorts.every(({ value }) => value !== sort);
  const orders = [
    { value: 'asc', label: 'smallest first' },
    { value: 'desc', label: 'largest first' },
  ];
  const fields: readonly FilterField[] = [
    {
      ...{ name: 'sort', label: 'Sort by', value: sort, usual: sort },
      options: isAsMade ? [{ value: sort, label: 'as usual' }, ...sorts] : sorts,
    },
    { name: 'order', label: 'Order', value: order, usual: order, options: orders },
  ];
  return html`<div class="ph sorts">${filterForm({ label: 'Order of rows', path, fields, kept: state })}</div>`;
}

type Titled = Pick<TableColumn<never>, 'title' | 'number' | 'fold'>;

function titleOf({ number, title = number }: Titled): string {
  return title ?? '';
}

function classOf({ number, fold }: Titled): string | null {
  return [number !== undefined && 'number', fold].filter(Boolean).join(' ') || null;
}

function heading<Row>(column: TableColumn<Row>, ordered: TableOrder | undefined): Markup {
  const { number, scale, word, sort } = column;
  const [title, name] = [titleOf(column), classOf(column)];
  // A column of drawings alone has no heading that could be read.
  if (title === '') return html`<td class=${name}></td>`;
  if (sort === undefined || ordered === undefined) {
    return html`<th scope="col" class=${name}>${word === undefined ? title : term(word, title)}${scale}</th>`;
  }
  const isSorted = ordered.sort === sort;
  const next = isSorted ? (ordered.order === 'asc' ? 'desc' : 'asc') : number === undefined ? 'asc' : 'desc';
  const href = addressOf(ordered.path, { ...ordered.state, sort, order: next });
  const direction = ordered.order === 'asc' ? 'ascending' : 'descending';
  return html`<th scope="col" class=${name} aria-sort=${isSorted ? direction : null}><a href=${href}>${title}${isSorted && html`<span aria-hidden="true">${ordered.order === 'asc' ? ' ↑' : ' ↓'}</span>`}</a></th>`;
}
