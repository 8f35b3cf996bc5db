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

/** One selector of a query, as it is written. */
interface Selector {
  readonly name: string;
  readonly labels: readonly string[];
  /** The innermost function around it. */
  readonly inFunction: string | undefined;
}

interface Query {
  readonly selectors: readonly Selector[];
  /** Labels of `by`, `without`, `on` and `group_left`. */
  readonly groupingLabels: readonly string[];
  readonly hasComparison: boolean;
  /** What could not be parsed. */
  readonly mistakes: readonly string[];
}

/** Labels that Prometheus adds. */
export const ofTarget: readonly string[] = ['job', 'instance', 'pod', 'pair'];

const comparisons = new Set(['Gtr', 'Lss', 'Gte', 'Lte', 'Eql', 'Neq']);

/** Takes a query apart. */
export function readQuery(text: string): Query {
  const selectors: { name: string; labels: string[]; inFunction: string | undefined }[] = [];
  const groupingLabels: string[] = [];
  const mistakes: string[] = [];
  const functions: string[] = [];
  let hasComparison = false;
  parser.parse(text).iterate({
    enter(node) {
      const source = text.slice(node.from, node.to);
      if (node.type.isError) mistakes.push(`${source} at ${node.from} of ${text}`);
      if (node.name === 'FunctionCall') functions.push(source.slice(0, source.indexOf('(')));
      if (node.name === 'VectorSelector') {
        const name = source.split('{')[0] ?? '';
        selectors.push({ name, labels: [], inFunction: functions.at(-1) });
      }
      if (node.name === 'LabelName') {
        const inMatcher = node.node.parent?.name === 'UnquotedLabelMatcher';
        (inMatcher ? selectors.at(-1)?.labels : groupingLabels)?.push(source);
      }
      if (comparisons.has(node.name) && node.node.parent?.name === 'BinaryExpr') hasComparison = true;
    },
    leave(node) {
      if (node.name === 'FunctionCall') functions.pop();
    },
  });
  return { selectors, groupingLabels, hasComparison, mistakes };
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
  const { selectors, groupingLabels, mistakes } = readQuery(text);
  const all = new Set([
    ...ofTarget,
    ...made,
    ...selectors.flatMap(({ name }) => known.get(name)?.labels ?? []),
  ]);
  return [
    ...mistakes,
    ...selectors.flatMap(({ name, labels, inFunction }) => {
      const metric = known.get(name);
      if (metric === undefined) return [`there is no metric ${name}`];
      const strange = labels.filter(label => !metric.labels.includes(label) && !ofTarget.includes(label));
      const bare = metric.type === 'counter' && !['rate', 'increase'].includes(inFunction ?? '');
      return [
        ...strange.map(label => `${name} has no label ${label}`),
        ...(bare ? [`${name} without rate`] : []),
      ];
    }),
    ...groupingLabels
      .filter(label => !all.has(label))
      .map(label => `no metric of the query has the label ${label}`),
  ];
}
