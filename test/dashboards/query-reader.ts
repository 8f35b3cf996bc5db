import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { recordingRules } from '../../dashboards/rules/recording-rule.ts';
import { targetUp } from '../../dashboards/rules/rule-scope.ts';
import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { catalog } from '../../src/resources/catalog.ts';

interface KnownMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** One selector of a query: the metric, the labels it matches and the function its range stands in. */
export interface Selector {
  readonly name: string;
  readonly labels: readonly string[];
  readonly matchers: Readonly<Record<string, { readonly operator: string; readonly value: string }>>;
  /** What stands between the brackets; absent for an instant vector. */
  readonly range?: string;
  /** The function a range is handed to: `rate`. */
  readonly rangeFunction?: string;
}

/** What a query consists of, as the parser of Prometheus' own console sees it. */
interface Query {
  readonly selectors: readonly Selector[];
  /** Labels in `by`, `without`, `on`, `ignoring`, `group_left` and `group_right`. */
  readonly groupedLabels: readonly string[];
  readonly hasComparison: boolean;
  /** What could not be parsed. */
  readonly mistakes: readonly string[];
}

/** Labels that Prometheus adds. */
export const ofTarget: readonly string[] = ['job', 'instance', 'pod', 'pair'];

const comparisons = new Set(['Gtr', 'Lss', 'Gte', 'Lte', 'Eql', 'Neq']);

/** Durations and numbers Grafana puts in place; any valid one keeps the syntax. */
const putInPlace: Readonly<Record<string, string>> = {
  __rate_interval: '3m7s',
  __range: '3h7m',
  __range_s: '11220',
  cent: '0.01',
};

/** Takes a query of a rule or a board apart; variables of a board stay visible as they are written. */
export function readQuery(query: string): Query {
  const text = query.replaceAll(/\$(\w+)/g, (variable, name: string) => putInPlace[name] ?? variable);
  const written = (value: string) =>
    Object.entries(putInPlace).reduce(
      (found, [name, given]) => (found === given ? `$${name}` : found),
      value,
    );
  const selectors: Selector[] = [];
  const groupedLabels: string[] = [];
  const mistakes: string[] = [];
  let hasComparison = false;
  parser.parse(text).iterate({
    enter({ node, type, name, from, to }) {
      const source = text.slice(from, to);
      if (type.isError) mistakes.push(`${source} at ${from} of ${text}`);
      if (name === 'VectorSelector') selectors.push(readSelector(node, text, written));
      if (name === 'GroupingLabels') groupedLabels.push(...(source.match(/\w+/g) ?? []));
      if (comparisons.has(name) && node.parent?.name === 'BinaryExpr') hasComparison = true;
    },
  });
  return { selectors, groupedLabels, hasComparison, mistakes };
}

function readSelector(node: SyntaxNode, text: string, written: (value: string) => string): Selector {
  const read = (part: SyntaxNode | null) => (part === null ? '' : text.slice(part.from, part.to));
  const found = read(node.getChild('LabelMatchers')).matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g);
  const matchers = Object.fromEntries(
    [...found].map(([, label = '', operator = '', value = '']) => [label, { operator, value }]),
  );
  const name = read(node.getChild('Identifier'));
  const labels = Object.keys(matchers);
  const matrix = node.parent;
  if (matrix?.type.name !== 'MatrixSelector') return { name, labels, matchers };
  const range = written(/\[([^\]]*)\]$/.exec(read(matrix))?.[1] ?? '');
  let call = matrix.parent;
  while (call !== null && call.type.name !== 'FunctionCall') call = call.parent;
  return { name, labels, matchers, range, rangeFunction: read(call?.getChild('FunctionIdentifier') ?? null) };
}

const declared: readonly KnownMetric[] = [
  ...catalog.flatMap(({ families }) => Object.values(families)),
  ...Object.values(selfFamilies),
  ...Object.values(processFamilies),
  ...recordingRules,
  targetUp,
];

/** Every name a query may use: declared metrics, parts of histograms, recording rules and `up`. */
const known: ReadonlyMap<string, KnownMetric> = new Map(
  declared.flatMap(metric => {
    if (metric.type !== 'histogram') return [[metric.name, metric] as const];
    return ['bucket', 'sum', 'count'].map(part => {
      const labels = part === 'bucket' ? [...metric.labels, 'le'] : metric.labels;
      return [`${metric.name}_${part}`, { name: metric.name, type: 'counter', labels }] as const;
    });
  }),
);

/** All labels that samples of a name have on a page, sorted; undefined where nothing of that name is declared. */
export function listLabels(name: string): readonly string[] | undefined {
  return known.get(name)?.labels.toSorted();
}

/** What is wrong with a query: unknown metrics or labels, counters outside a rate, syntax. Empty when nothing is. */
export function findQueryMistakes(text: string, { made = [] }: { readonly made?: readonly string[] } = {}) {
  const { selectors, groupedLabels, mistakes } = readQuery(text);
  const all = new Set([
    ...ofTarget,
    ...made,
    ...selectors.flatMap(({ name }) => known.get(name)?.labels ?? []),
  ]);
  return [
    ...mistakes,
    ...selectors.flatMap(({ name, labels, rangeFunction = '' }) => {
      const metric = known.get(name);
      if (metric === undefined) return [`there is no metric ${name}`];
      const strange = labels.filter(label => !metric.labels.includes(label) && !ofTarget.includes(label));
      const bare = metric.type === 'counter' && !['rate', 'increase'].includes(rangeFunction);
      return [
        ...strange.map(label => `${name} has no label ${label}`),
        ...(bare ? [`${name} without rate`] : []),
      ];
    }),
    ...groupedLabels
      .filter(label => !all.has(label))
      .map(label => `no metric of the query has the label ${label}`),
  ];
}
