import type { BoardExpression } from '../../../dashboards/boards/expression.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { readQuery } from '../query-reader.ts';

const leftOut: ReadonlySet<string> = new Set(
  catalog
    .flatMap(({ families }) => Object.values(families))
    .filter(({ whenCompact }) => whenCompact === 'omit')
    .map(({ name }) => name),
);

/** Whether an expression has no data from a compact page: it asks for what that leaves out, and for nothing in its place. */
export function isLeftOut({ expression }: BoardExpression): boolean {
  return (
    readQuery(expression).selectors.some(({ name }) => leftOut.has(name)) && !expression.includes(' or on (')
  );
}
