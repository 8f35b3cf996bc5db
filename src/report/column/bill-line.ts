import { type Cell, column, type TypedColumn } from '../format/report.ts';
import type { ScopedRow } from '../row/scope.ts';

/** What is one line of an invoice. */
export interface Billed {
  readonly line: Cell;
  readonly plan: Cell;
  readonly tier: Cell;
  readonly quantity: Cell;
  readonly unit: Cell;
  readonly included: Cell;
  readonly price: Cell;
}

export interface BillLine extends ScopedRow, Billed {
  readonly cost: Cell;
}

/** The columns of the lines of bills. */
export const billLineColumns = [
  column(
    'line',
    'text',
    'The line as an invoice calls it, with its currency where another one has the same name.',
    row => row.line,
  ),
  column('plan', 'text', 'The plan that it is charged by.', row => row.plan),
  column('tier', 'count', 'The tier of its price, from 1.', row => row.tier),
  column('quantity', 'decimal', 'How much was billed.', row => row.quantity),
  column('unit', 'text', 'The unit of the quantity.', row => row.unit),
  column('included', 'decimal', 'How much was free of charge.', row => row.included),
  column('price', 'text', 'The price of a unit, with its currency.', row => row.price),
  column('cost', 'decimal', 'What the line costs.', row => row.cost),
] satisfies readonly TypedColumn<BillLine>[];
