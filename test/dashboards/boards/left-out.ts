import { catalog } from '../../../src/resources/catalog.ts';
import type { BoardExpression } from '../board-expression.ts';
import { readQuery } from '../query-reader.ts';

const leftOut: ReadonlySet<string> = new Set(
  catalog
    .flatMap(({ families }) => Object.values(families))
    .filter(({ whenCompact }) => whenCompact === 'omit')
    .map(({ name }) => name),
);

/** Of what it shows, a compact page has something else to tell by. */
const hasOther = 'Changing state now';

/** Whether an expression has no data from a compact page, as it asks for what that leaves out. */
export function isLeftOut({ panel, expression }: BoardExpression): boolean {
  return panel !== hasOther && readQuery(expression).selectors.some(({ name }) => leftOut.has(name));
}
