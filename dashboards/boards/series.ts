import type * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { labelList, type Metric } from '../promql.ts';
import { type CatalogLabel, scoped } from './scope.ts';

/** What a panel draws. */
export interface DrawnSeries {
  readonly queries: readonly Query[];
  /** How series are drawn, by a pattern of their names. */
  readonly strokes?: Readonly<Record<string, Stroke>>;
}

export interface Query {
  readonly expression: string;
  /** Labels whose values name a series, or its name, in which `{{label}}` stands for a value. */
  readonly legend: readonly CatalogLabel[] | string;
}

/** A series for each value of some labels, which name it. */
export function seriesBy<Label extends CatalogLabel>(
  combine: 'sum' | 'max' | 'min',
  metric: Metric<Label>,
  labels: readonly NoInfer<Label>[],
  samples = scoped(metric),
): Query {
  return { expression: `${combine} ${labelList('by', metric, ...labels)} (${samples})`, legend: labels };
}

/** How a line is drawn where it differs from the others. */
export interface Stroke {
  readonly colour?: string;
  readonly isDashed?: boolean;
  /** Whether it is drawn beside lines that are stacked, and not on top of them. */
  readonly isOnItsOwn?: boolean;
  /** The name of the line down to which the space is filled. */
  readonly bandDownTo?: string;
  /** Another name, in which `labelValue` stands for the value of a label. */
  readonly name?: string;
}

/** The part of a panel's builder that series are drawn by. */
export interface SeriesBuilder {
  withTransformation(transformation: dashboard.DataTransformerConfig): this;
  overrideByRegexp(pattern: string, properties: dashboard.DynamicConfigValue[]): this;
}

/** The value of a label of a series, in its name or its link. */
export function labelValue(label: CatalogLabel): string {
  return `\${__field.labels.${label}}`;
}

/** The name of a series, in which `{{label}}` stands for a value. */
export function nameSeries(legend: Query['legend']): string {
  return typeof legend === 'string' ? legend : legend.map(label => `{{${label}}}`).join(' · ');
}

/** Labels whose values are words of the service or the exporter, which have underscores for blanks. */
const wordLabels = [
  'action',
  'collector',
  'currency',
  'kind',
  'line',
  'network',
  'outcome',
  'reason',
  'status',
];

/** Has words said as people say them, unless a given name is beside them, and series drawn as they are to be. */
export function drawSeries(builder: SeriesBuilder, { queries, strokes = {} }: DrawnSeries): void {
  for (const [pattern, stroke] of Object.entries(strokes))
    builder.overrideByRegexp(`/${pattern}/`, strokeProperties(stroke));
  const labels = queries.flatMap(({ legend }) =>
    Array.from(nameSeries(legend).matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label),
  );
  if (labels.length === 0 || labels.some(label => !wordLabels.includes(label))) return;
  builder.withTransformation({ id: 'renameByRegex', options: { regex: '/_/g', renamePattern: ' ' } });
}

function strokeProperties({
  colour,
  isDashed,
  isOnItsOwn,
  bandDownTo,
  name,
}: Stroke): dashboard.DynamicConfigValue[] {
  return [
    ...(colour === undefined ? [] : [{ id: 'color', value: { mode: 'fixed', fixedColor: colour } }]),
    ...(isDashed ? [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }] : []),
    ...(isDashed || bandDownTo !== undefined ? [{ id: 'custom.fillOpacity', value: isDashed ? 0 : 20 }] : []),
    ...(isOnItsOwn ? [{ id: 'custom.stacking', value: { mode: 'none' } }] : []),
    ...(bandDownTo === undefined ? [] : [{ id: 'custom.fillBelowTo', value: bandDownTo }]),
    ...(name === undefined ? [] : [{ id: 'displayName', value: name }]),
  ];
}
