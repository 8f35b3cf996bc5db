import * as common from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import { PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as tablePanel from '@grafana/grafana-foundation-sdk/table';
import type { DrillDown } from './link.ts';
import { type Bands, toThresholds, toWords } from './look.ts';
import { type BoardPanel, finishPanel, instantQuery, type PanelText, refIdOf } from './panel.ts';
import type { CatalogLabel } from './scope.ts';

/** A column with the values of a label. */
export interface LabelColumn {
  readonly label: CatalogLabel;
  readonly title: string;
  readonly link?: DrillDown;
  /** Pixels; the first column of a table takes what the others leave. */
  readonly width?: number;
  /** The text in the cells in place of the values. */
  readonly words?: Readonly<Record<string, string>>;
  /** Whether only links need it. */
  readonly isHidden?: boolean;
}

/** A column with the values of a query; rows with the same labels, as far as all queries give them, are one. */
export interface ValueColumn {
  readonly title: string;
  readonly expression: string;
  readonly unit: string;
  readonly bands?: Bands;
  readonly mappings?: ValueMapping[];
  readonly decimals?: number;
  /** The text in the cell of a row that has no such value. */
  readonly noValue?: string;
}

interface TableText extends Omit<PanelText, 'unit' | 'mappings' | 'decimals'> {
  readonly labels: readonly LabelColumn[];
  readonly values: readonly ValueColumn[];
  /** Titles of columns; of several the first that there is counts most. */
  readonly sortBy: string | readonly string[];
  readonly ascending?: boolean;
}

/** A row for each set of labels, as it is now. */
export function table(text: TableText): BoardPanel {
  const builder = new tablePanel.PanelBuilder()
    .targets(
      text.values.map(({ expression }, index) =>
        instantQuery(expression, refIdOf(index), PromQueryFormat.Table),
      ),
    )
    .transformations([{ id: 'merge', options: {} }, organize(text)])
    .sortBy(
      [text.sortBy]
        .flat()
        .map(title => new common.TableSortByFieldStateBuilder().displayName(title).desc(!text.ascending)),
    )
    .cellHeight(common.TableCellHeight.Sm)
    .showHeader(true);
  for (const [index, column] of text.labels.entries()) {
    builder.overrideByName(column.title, labelProperties(column, index === 0));
  }
  for (const column of text.values) builder.overrideByName(column.title, valueProperties(column));
  return finishPanel(builder, { ...text, unit: text.values[0]?.unit ?? 'none' }, 9);
}

function organize({ labels, values }: TableText) {
  const fields = [
    ...labels.map(({ label, title }) => [label, title] as const),
    ...values.map(({ title }, index) => [valueField(values.length, index), title] as const),
  ];
  return {
    id: 'organize',
    options: {
      excludeByName: { Time: true },
      indexByName: Object.fromEntries(fields.map(([name], index) => [name, index])),
      renameByName: Object.fromEntries(fields),
    },
  };
}

/** Grafana adds a suffix to the values of several queries, and leaves those of a single one alone. */
function valueField(count: number, index: number): string {
  return count === 1 ? 'Value' : `Value #${refIdOf(index)}`;
}

function labelProperties(column: LabelColumn, isFirst: boolean): DynamicConfigValue[] {
  const { title, link, words, isHidden, width = titleWidth(title) } = column;
  return [
    { id: 'unit', value: 'string' },
    ...(link ? [{ id: 'links', value: [link] }] : []),
    ...(words ? [{ id: 'mappings', value: toWords(words) }] : []),
    ...(isHidden ? [{ id: 'custom.hidden', value: true }] : []),
    isFirst
      ? { id: 'custom.minWidth', value: Math.max(width, leastFirstWidth) }
      : { id: 'custom.width', value: width },
  ];
}

/** Names of projects and the like. */
const leastFirstWidth = 140;

/** `1,234,567.89` and `12.3 weeks`. */
const leastValueWidth = 110;

/** Pixels that a title takes, with the arrow beside it when rows are sorted by it. */
function titleWidth(title: string): number {
  return Math.max(80, title.length * 8 + 32);
}

function valueProperties({
  title,
  unit,
  bands,
  mappings,
  decimals,
  noValue,
}: ValueColumn): DynamicConfigValue[] {
  return [
    { id: 'unit', value: unit },
    { id: 'custom.width', value: Math.max(titleWidth(title), leastValueWidth) },
    ...(decimals === undefined ? [] : [{ id: 'decimals', value: decimals }]),
    ...(noValue === undefined ? [] : [{ id: 'noValue', value: noValue }]),
    ...(bands ? [{ id: 'thresholds', value: toThresholds(bands) }] : []),
    ...(bands ? [{ id: 'color', value: { mode: 'thresholds' } }] : []),
    ...(mappings ? [{ id: 'mappings', value: mappings }] : []),
    ...(bands || mappings ? [{ id: 'custom.cellOptions', value: { type: 'color-text' } }] : []),
  ];
}
