import * as v from 'valibot';
import { type InvoiceRules, invoiceKinds, readTolerance, type Tolerance } from '../resources/invoice-rule.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { group, isGroupOrNothing, isListOrNothing, list, type Schema, single } from './schema.ts';
import { currency, globs, spendingName } from './spending-schema.ts';
import type { WrittenNode } from './written-node.ts';

const column = v.exactOptional(spendingName);

const toleranceAdvice = 'write an amount such as 0.01, or a share such as 0.5%';
const tolerance: Schema<Tolerance> = single(
  toleranceAdvice,
  v.pipe(
    v.string(),
    v.transform(readTolerance),
    v.custom<Tolerance>(read => read !== undefined),
  ),
  { accepts: ['string', 'number'] },
);

const line = group('write match and as', {
  match: globs('write a list of descriptions, where * stands for anything'),
  as: single(`write one of ${invoiceKinds.join(', ')}`, v.picklist(invoiceKinds)),
  plan: v.exactOptional(spendingName),
  name: v.exactOptional(spendingName),
});

const schema = group(
  'write columns, lines, currency, decimal or tolerance below "reconcile:", indented',
  {
    columns: v.exactOptional(
      group('write description, quantity, unit_price, amount or project, each with the name of a column', {
        description: column,
        quantity: column,
        unit_price: column,
        amount: column,
        project: column,
      }),
    ),
    lines: v.exactOptional(list('write a list, each rule after a "- "', line, isListOrNothing)),
    currency: v.exactOptional(currency),
    decimal: v.exactOptional(single('write point or comma', v.picklist(['point', 'comma']))),
    tolerance: v.exactOptional(tolerance),
  },
  isGroupOrNothing,
);

/** The section `reconcile`, after adding to `problems` what is wrong with it. */
export function readInvoiceRules(node: WrittenNode | undefined, problems: Problem[]): InvoiceRules {
  const read = (node && readNode(schema, node, problems)) ?? {};
  return { columns: {}, lines: [], decimal: 'point', ...read };
}
