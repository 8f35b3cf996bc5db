import { estimateSeries, weighSeries } from '../../src/check/plan/series-estimate.ts';
import { dayColumns, projectColumns } from '../../src/export/parquet/table/parquet-table.ts';
import { parquetTables } from '../../src/export/parquet/table/parquet-table-list.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import type { DescribedColumn } from '../../src/report/format/report.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { seriesModes } from '../../src/resources/family-selection.ts';

/** Labels that say what a metric is of; all others say which of its values it is. */
const idLabels = ['account', 'project_id', 'endpoint_id', 'key_id', 'grouping', 'group', 'budget'];

/**
 * Every metric as a line of Markdown below what it is of, from the declarations the page is rendered from. That most of
 * them are polled is said once in the document.
 */
export function renderMetricTable(): string {
  const families = [
    ...catalog.flatMap(group => Object.values(group.families)),
    ...Object.values(selfFamilies),
  ];
  const byIds = Map.groupBy(families, ({ labels }) => nameLabels(labels.filter(isId)));
  return [...byIds]
    .flatMap(([ids, alike]) => [
      `**${ids === '' ? 'Of the exporter' : `By ${ids}`}**`,
      '',
      ...alike.map(({ name, type, labels, help }) => {
        const others = labels.filter(label => !isId(label));
        const by = others.length === 0 ? '' : ` by ${nameLabels(others)}`;
        const text = help.replace(/ \(polled\)\.$/, '.');
        return `- \`${name}\`${by}${type === 'histogram' ? ' (histogram)' : ''}: ${text}`;
      }),
      '',
    ])
    .join('\n');
}

function isId(label: string): boolean {
  return idLabels.includes(label);
}

function nameLabels(labels: readonly string[]): string {
  return labels.map(label => `\`${label}\``).join(', ');
}

/** What a project costs in series, as a table of Markdown. */
export function renderSeriesTable(): string {
  const columns = seriesModes.map(mode => {
    const selection = { mode, exclude: [], collectors };
    const fleet = estimateSeries({ projects: 10_000, endpointsPerProject: 1 }, selection);
    return { mode, ...weighSeries(selection), fleet };
  });
  const row = (title: string, cells: readonly (string | number)[]) =>
    `| ${[title, ...cells.map(cell => cell.toLocaleString('en-US'))].join(' | ')} |`;
  const rowOf = (title: string, key: Exclude<keyof (typeof columns)[number], 'mode'>) =>
    row(
      title,
      columns.map(column => column[key]),
    );
  return [
    row(
      'series of',
      columns.map(({ mode }) => `\`series.mode: ${mode}\``),
    ),
    '|---|---|---|',
    rowOf('a project with one endpoint', 'project'),
    rowOf('each further endpoint', 'endpoint'),
    rowOf('an API key', 'apiKey'),
    rowOf('an account', 'account'),
    rowOf('with a price book, an account more', 'accountPrices'),
    rowOf('with a price book, each project more', 'projectPrices'),
    rowOf('an account with 10,000 projects of one endpoint, without a price book', 'fleet'),
    '',
  ].join('\n');
}

/** The exported tables and their columns, as lists of Markdown. */
export function renderParquetTables(): string {
  const shared = [...dayColumns, ...projectColumns];
  const keys = shared.map(({ key }) => key);
  return [
    'All but `key_uses`, which has the first two, begin with these columns:',
    ...renderColumns(shared),
    ...parquetTables.flatMap(({ name, about, columns }) => [
      ...['', `**\`${name}\`**: ${about}`],
      ...renderColumns(columns.filter(({ key }) => !keys.includes(key))),
    ]),
  ].join('\n');
}

/** A sentence of fewer words says no more than the name. */
const leastWords = 6;

/** Columns by name, those whose sentence says more each on a line of its own. */
function renderColumns(columns: readonly DescribedColumn[]): readonly string[] {
  const isPlain = ({ about }: DescribedColumn) => about.split(' ').length < leastWords;
  const plain = columns.filter(isPlain).map(({ key }) => `\`${key}\``);
  const told = columns.filter(column => !isPlain(column));
  return [
    '',
    ...(plain.length > 0 ? [`- ${plain.join(', ')}`] : []),
    ...told.map(({ key, about }) => `- \`${key}\`: ${about}`),
  ];
}
