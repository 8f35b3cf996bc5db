import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** One selector of a query: the metric, the labels it matches and the function its range stands in. */
export interface Selector {
  readonly metric: string;
  readonly matchers: Readonly<Record<string, { readonly operator: string; readonly value: string }>>;
  /** What stands between the brackets; absent for an instant vector. */
  readonly range?: string;
  /** The function a range is handed to: `rate`. */
  readonly rangeFunction?: string;
}

/** What a query consists of, as the parser of Prometheus' own console sees it. */
export interface ParsedQuery {
  readonly valid: boolean;
  readonly selectors: readonly Selector[];
  /** Labels in `by`, `without`, `on`, `ignoring`, `group_left` and `group_right`. */
  readonly groupedLabels: readonly string[];
}

/** Durations Grafana puts in place; any valid one keeps the syntax. */
const durations: Readonly<Record<string, string>> = {
  __rate_interval: '3m7s',
  __range: '3h7m',
  __range_s: '11220',
};

/** Parses a query as a board holds it; its variables stay visible as they are written. */
export function parseQuery(expression: string): ParsedQuery {
  const text = expression.replaceAll(/\$(__\w+)/g, (variable, name: string) => durations[name] ?? variable);
  const written = (value: string) =>
    Object.entries(durations).reduce((found, [name, given]) => (found === given ? `$${name}` : found), value);
  let valid = true;
  const selectors: Selector[] = [];
  const groupedLabels: string[] = [];
  parser.parse(text).iterate({
    enter({ node, type, from, to }) {
      if (type.isError) valid = false;
      if (type.name === 'VectorSelector') selectors.push(readSelector(node, text, written));
      if (type.name === 'GroupingLabels') {
        groupedLabels.push(
          ...text
            .slice(from + 1, to - 1)
            .split(',')
            .map(label => label.trim())
            .filter(Boolean),
        );
      }
    },
  });
  return { valid, selectors, groupedLabels };
}

function readSelector(node: SyntaxNode, text: string, written: (value: string) => string): Selector {
  const read = (part: SyntaxNode | null) => (part === null ? '' : text.slice(part.from, part.to));
  const found = read(node.getChild('LabelMatchers')).matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g);
  const matchers = Object.fromEntries(
    [...found].map(([, label = '', operator = '', value = '']) => [label, { operator, value }]),
  );
  const metric = read(node.getChild('Identifier'));
  const matrix = node.parent;
  if (matrix?.type.name !== 'MatrixSelector') return { metric, matchers };
  const range = written(/\[([^\]]*)\]$/.exec(read(matrix))?.[1] ?? '');
  let call = matrix.parent;
  while (call !== null && call.type.name !== 'FunctionCall') call = call.parent;
  return { metric, matchers, range, rangeFunction: read(call?.getChild('FunctionIdentifier') ?? null) };
}
