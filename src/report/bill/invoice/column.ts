import { type Problem, quoteValue } from '../../../config/problem.ts';
import { type InvoiceColumn, type InvoiceRules, invoiceColumns } from '../../../resources/invoice-rule.ts';

/** The place of each column that is there, from 0. */
export type ColumnPlaces = ReadonlyMap<InvoiceColumn, number>;

/** Names that columns have where the configuration names none, the likeliest first. */
const usualNames: Readonly<Record<InvoiceColumn, readonly string[]>> = {
  description: ['description', 'item', 'line item', 'product', 'service', 'name'],
  quantity: ['quantity', 'qty', 'usage', 'hours', 'units'],
  unit_price: ['unit price', 'price per unit', 'unit cost', 'rate', 'price'],
  amount: ['amount', 'line total', 'total', 'cost', 'charge'],
  project: ['project', 'project id', 'project name', 'resource', 'resource id'],
};

/**
 * Finds the columns of an invoice by their names, in capitals or not.
 *
 * @param where the line of names, as problems name it.
 */
export function findColumns(
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
