import { parse } from 'csv-parse/sync';
import { ConfigFailure, type Problem, quoteValue } from '../../../config/problem.ts';
import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { amountOf, showAmount, timesRate } from '../../../cost/money/money.ts';
import { Failure } from '../../../resources/failure.ts';
import { compact } from '../../../resources/field.ts';
import { type InvoiceColumn, type InvoiceRules, invoiceColumns } from '../../../resources/invoice-rule.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { InvoiceLine } from '../comparison/invoice-line.ts';

/** The place of each column that is there, from 0. */
type ColumnPlaces = ReadonlyMap<InvoiceColumn, number>;

/** Names that columns have where the configuration names none, the likeliest first. */
const usualNames: Readonly<Record<InvoiceColumn, readonly string[]>> = {
  description: ['description', 'item', 'line item', 'product', 'service', 'name'],
  quantity: ['quantity', 'qty', 'usage', 'hours', 'units'],
  unit_price: ['unit price', 'price per unit', 'unit cost', 'rate', 'price'],
  amount: ['amount', 'line total', 'total', 'cost', 'charge'],
  project: ['project', 'project id', 'project name', 'resource', 'resource id'],
};

/** A row of the file, with the number of its line. */
interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The lines of an invoice in the form of RFC 4180; semicolons and tabs part columns as well as commas.
 *
 * @param name the file as problems name it.
 * @throws ConfigFailure with every problem of it, Failure when it is not CSV.
 */
export function readInvoice(
  text: string,
  name: string,
  rules: Pick<InvoiceRules, 'columns' | 'decimal'>,
): readonly InvoiceLine[] {
  const [head, ...rows] = readRows(text, name);
  if (head === undefined)
    throw new Failure(`${name} is empty: name an invoice with a line of column names`, 'usage');
  const found = findColumns(head.cells, rules.columns, `${name}:${head.line}`);
  if ('problems' in found) throw new ConfigFailure(found.problems);
  const problems: Problem[] = [];
  const lines = rows.flatMap(
    row => readLine(row, found.places, { name, head: head.cells, decimal: rules.decimal, problems }) ?? [],
  );
  if (problems.length > 0) throw new ConfigFailure(problems);
  return lines;
}

function readRows(text: string, name: string): readonly Row[] {
  try {
    const read: unknown = parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      trim: true,
    });
    return (read as { readonly record: string[]; readonly info: { readonly lines: number } }[])
      .map(({ record, info }) => ({ line: info.lines, cells: record }))
      .filter(({ cells }) => cells.some(cell => cell !== ''));
  } catch (error) {
    throw new Failure(
      `${name} is not CSV (${error instanceof Error ? error.message : String(error)}): export the invoice as CSV`,
      'usage',
    );
  }
}

/** The mark that parts most columns in the first line. */
function findDelimiter(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1);
  const count = (mark: string) => head.split(mark).length;
  return [',', ';', '\t'].reduce((most, mark) => (count(mark) > count(most) ? mark : most));
}

interface LineReading {
  readonly name: string;
  /** The names of the columns. */
  readonly head: readonly string[];
  readonly decimal: InvoiceRules['decimal'];
  readonly problems: Problem[];
}

/** A line of the invoice; undefined for one without any number, such as a heading. */
function readLine({ line, cells }: Row, places: ColumnPlaces, reading: LineReading): InvoiceLine | undefined {
  const textOf = (column: InvoiceColumn) => cells[places.get(column) ?? -1] ?? '';
  const numberOf = (column: InvoiceColumn): DecimalText | undefined => {
    const text = textOf(column);
    if (text === '') return undefined;
    const number = readInvoiceNumber(text, reading.decimal);
    if (number === undefined) {
      reading.problems.push({
        where: `${reading.name}:${line}`,
        key: column,
        found: quoteValue(text),
        expected: `write a number such as ${reading.decimal === 'point' ? '1,234.50' : '1.234,50, or reconcile.decimal: point'}`,
      });
    }
    return number;
  };
  const [quantity, unitPrice, written] = [numberOf('quantity'), numberOf('unit_price'), numberOf('amount')];
  const amount = written ?? multiply(quantity, unitPrice);
  const project = textOf('project');
  const currencyOf = (column: InvoiceColumn) =>
    findCurrency(textOf(column)) ?? findCurrency(reading.head[places.get(column) ?? -1] ?? '');
  const currency = currencyOf('amount') ?? currencyOf('unit_price');
  if (amount === undefined) {
    if (!places.has('amount') && hasUnreadNumber(cells, places, reading))
      reading.problems.push({
        where: `${reading.name}:${line}`,
        key: 'amount',
        found: `neither a column for it in ${quoteValue(reading.head.join(', '))} nor a quantity with its price`,
        expected: 'write reconcile.columns.amount with the name of the column',
      });
    return undefined;
  }
  return {
    line,
    description: textOf('description'),
    amount,
    ...compact({ quantity, unitPrice, currency }),
    ...(project !== '' && { project }),
  };
}

/** Whether a column that has no meaning has a number, which may be the amount. */
function hasUnreadNumber(cells: Row['cells'], places: ColumnPlaces, { decimal }: LineReading): boolean {
  const known = new Set(places.values());
  return cells.some((cell, place) => !known.has(place) && readInvoiceNumber(cell, decimal) !== undefined);
}

/** The exact product. */
function multiply(
  quantity: DecimalText | undefined,
  price: DecimalText | undefined,
): DecimalText | undefined {
  if (quantity === undefined || price === undefined) return undefined;
  return showAmount(timesRate(amountOf(quantity), price), decimalsOf(quantity) + decimalsOf(price));
}

/**
 * Finds the columns of an invoice by their names, in capitals or not.
 *
 * @param where the line of names, as problems name it.
 */
function findColumns(
  head: readonly string[],
  configured: InvoiceRules['columns'],
  where: string,
): { readonly places: ColumnPlaces } | { readonly problems: readonly Problem[] } {
  const names = head.map(simplify);
  const problems: Problem[] = [];
  const places = new Map<InvoiceColumn, number>();
  for (const column of invoiceColumns) {
    const own = configured[column];
    const wanted = own === undefined ? usualNames[column] : [own];
    const place = wanted.map(name => names.indexOf(simplify(name))).find(index => index >= 0);
    if (place !== undefined) places.set(column, place);
    else if (own !== undefined || isNeeded(column, places)) {
      const found = own === undefined ? 'no column for it' : `no column ${quoteValue(own)}`;
      problems.push({
        where,
        key: column,
        found: `${found} in ${quoteValue(head.join(', '))}`,
        expected: `write reconcile.columns.${column} with the name of the column`,
      });
    }
  }
  return problems.length > 0 ? { problems } : { places };
}

/** An amount can be worked out of a quantity and its price. */
function isNeeded(column: InvoiceColumn, places: ColumnPlaces): boolean {
  if (column === 'amount') return !places.has('quantity') || !places.has('unit_price');
  return column === 'description';
}

/** `unit price` for `Unit_Price (USD)`. */
function simplify(name: string): string {
  return name
    .toLowerCase()
    .replace(/\([^)]*\)/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

const currencySign = /\p{Sc}|\b[A-Z]{3}\b/gu;
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The code or sign of a currency in a cell or the name of a column; undefined where it has none. */
function findCurrency(text: string): string | undefined {
  const signs = text.normalize('NFKC').match(currencySign) ?? [];
  return signs.find(sign => /\p{Sc}/u.test(sign) || currencies.has(sign));
}

/**
 * A number of an invoice as a plain decimal: without spaces, currency and the marks between thousands; negative also in
 * brackets, with the sign behind it or with a typographic one. Undefined for any other text.
 */
function readInvoiceNumber(text: string, decimal: 'point' | 'comma'): DecimalText | undefined {
  const bare = text
    .replaceAll(currencySign, '')
    .replaceAll(/[\s'’]/g, '')
    .replaceAll('−', '-');
  const number = bare.replace(/^\((.+)\)$|^(.+)-$/, '-$1$2');
  const plain = decimal === 'point' ? number : number.replaceAll(/[.,]/g, mark => (mark === ',' ? '.' : ','));
  const isGrouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain);
  const digits = (isGrouped ? plain.replaceAll(',', '') : plain).replace(/^\+/, '');
  return /^-?(?:\d{1,15})(?:\.\d{1,12})?$/.test(digits) ? digits : undefined;
}
