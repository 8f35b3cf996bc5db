import type { Cell, TypedColumn } from '../format/report.ts';
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
  { key: 'line', kind: 'text', about: 'The line as an invoice calls it.', of: row => row.line },
  { key: 'plan', kind: 'text', about: 'The plan that it is charged by.', of: row => row.plan },
  { key: 'tier', kind: 'count', about: 'The tier of its price, from 1.', of: row => row.tier },
  { key: 'quantity', kind: 'decimal', about: 'How much was billed.', of: row => row.quantity },
  { key: 'unit', kind: 'text', about: 'The unit of the quantity.', of: row => row.unit },
  { key: 'included', kind: 'decimal', about: 'How much was free of charge.', of: row => row.included },
  { key: 'price', kind: 'text', about: 'The price of a unit, with its currency.', of: row => row.price },
  { key: 'cost', kind: 'decimal', about: 'What the line costs.', of: row => row.cost },
] satisfies readonly TypedColumn<BillLine>[];
