import * as common from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import { PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as tablePanel from '@grafana/grafana-foundation-sdk/table';
import { type DrillDown, projectLinks } from './link.ts';
import { type Bands, count, inWords, roundMoney, toThresholds, toWords } from './look.ts';
import { type BoardPanel, finishPanel, instantQuery, type PanelText, refIdOf } from './panel.ts';
import type { CatalogLabel } from './scope.ts';

/** A column with the values of a label. */
interface LabelColumn {
  readonly label: CatalogLabel;
  readonly title: string;
  readonly links?: readonly DrillDown[];
  /** Pixels; the first column of a table takes what the others leave. */
  readonly width?: number;
  /** The text in the cells in place of the values; `own` where these are words, with underscores for blanks. */
  readonly words?: Readonly<Record<string, string>> | 'own';
  /** Whether it is not shown: it is kept where a link of another column needs it. */
  readonly isHidden?: boolean;
}

/** A column with the values of a query; rows with the same labels, as far as all queries give them, are one. */
export interface ValueColumn {
  readonly title: string;
  readonly expression: string;
  /** By Grafana's name of it, absent for a count. */
  readonly unit?: string;
  readonly bands?: Bands;
  readonly mappings?: ValueMapping[];
  readonly decimals?: number;
  readonly isMoney?: boolean;
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
      text.values.map(({ expression, isMoney }, index) =>
        instantQuery(isMoney ? roundMoney(expression) : expression, refIdOf(index), PromQueryFormat.Table),
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
  for (const [index, column] of text.labels.filter(isKept).entries()) {
    builder.overrideByName(column.title, labelProperties(column, index === 0));
  }
  for (const column of text.values) builder.overrideByName(column.title, valueProperties(column));
  return finishPanel(builder, { ...text, unit: 'string' });
}

function organize({ labels, values }: TableText) {
  const kept = labels.filter(isKept);
  const fields = [
    ...kept.map(({ label, title }) => [label, title] as const),
    ...values.map(({ title }, index) => [valueField(values.length, index), title] as const),
  ];
  return {
    id: 'organize',
    options: {
      excludeByName: Object.fromEntries([
        ['Time', true],
        ...labels.filter(column => !kept.includes(column)).map(({ label }) => [label, true]),
      ]),
      indexByName: Object.fromEntries(fields.map(([name], index) => [name, index])),
      renameByName: Object.fromEntries(fields),
    },
  };
}

/** Whether a column is shown, or read by the link of one that is. */
function isKept({ label, isHidden }: LabelColumn, _index: number, columns: readonly LabelColumn[]): boolean {
  return (
    !isHidden ||
    columns.some(
      ({ links, ...other }) => !other.isHidden && links?.some(({ url }) => url.includes(`.${label}}`)),
    )
  );
}

/** Grafana adds a suffix to the values of several queries, and none to a single one. */
function valueField(count: number, index: number): string {
  return count === 1 ? 'Value' : `Value #${refIdOf(index)}`;
}

function labelProperties(column: LabelColumn, isFirst: boolean): DynamicConfigValue[] {
  const { title, links, words, isHidden, width = titleWidth(title) } = column;
  return [
    ...(links ? [{ id: 'links', value: [...links] }] : []),
    ...(words ? [{ id: 'mappings', value: words === 'own' ? inWords : toWords(words) }] : []),
    ...(isHidden ? hidden : []),
    isFirst
      ? { id: 'custom.minWidth', value: Math.max(width, leastFirstWidth) }
      : { id: 'custom.width', value: isHidden ? hiddenWidth : width },
  ];
}

/** The older and the newer name of it: each version of Grafana knows one of them. */
const hidden: readonly DynamicConfigValue[] = [
  { id: 'custom.hidden', value: true },
  { id: 'custom.hideFrom.viz', value: true },
];

/** Room enough in a table where a column is seen that should not be. */
const hiddenWidth = 50;

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
  unit = count,
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

/** Projects in a table: names lead to the board of the project, ids distinguish projects of the same name. */
export const projectColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', links: projectLinks },
  { label: 'account', title: 'Account', width: 100 },
  { label: 'project_id', title: 'Project id', width: 225 },
];

/** The same in a table of a third of the board. */
export const narrowProjectColumns: readonly LabelColumn[] = projectColumns.map(column =>
  column.label === 'project_id' ? { ...column, isHidden: true } : column,
);

/** Endpoints in a table: they have no names, so the name of their project stands first. */
export const endpointColumns: readonly LabelColumn[] = [
  { label: 'project_name', title: 'Project', links: projectLinks },
  { label: 'endpoint_id', title: 'Endpoint', width: 250 },
  { label: 'account', title: 'Account', width: 100 },
  { label: 'project_id', title: 'Project id', isHidden: true },
];

/** Amounts in a table: all rows of an exporter have the same. */
export const currencyColumn = {
  label: 'currency',
  title: 'Currency',
  width: 100,
} as const satisfies LabelColumn;
