import { estimateSeries, weighSeries } from '../../src/check/plan/series-estimate.ts';
import { dayColumns, projectColumns } from '../../src/export/lake/table/lake-table.ts';
import { lakeTables } from '../../src/export/lake/table/lake-table-list.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import type { DescribedColumn } from '../../src/report/format/report.ts';
import { valueKinds } from '../../src/report/format/value-kind.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { seriesModes } from '../../src/resources/family-selection.ts';

/** Every metric as a line of Markdown below its labels, from the declarations the page is rendered from. */
export function renderMetricTable(): string {
  const families = [
    ...catalog.flatMap(group => Object.values(group.families)),
    ...Object.values(selfFamilies),
  ];
  const byLabels = Map.groupBy(families, ({ labels }) => labels.map(label => `\`${label}\``).join(', '));
  return [...byLabels]
    .flatMap(([labels, alike]) => [
      `**${labels === '' ? 'Without labels' : `By ${labels}`}**`,
      '',
      ...alike.map(({ name, type, help }) => `- \`${name}\` (${type}): ${help}`),
      '',
    ])
    .join('\n');
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
export function renderLakeTables(): string {
  const shared = [...dayColumns, ...projectColumns];
  const keys = shared.map(({ key }) => key);
  return [
    'All but `key_uses`, which has the first two, begin with these columns:',
    ...renderColumns(shared),
    ...lakeTables.flatMap(({ name, about, columns }) => [
      ...['', `**\`${name}\`**: ${about}`],
      ...renderColumns(columns.filter(({ key }) => !keys.includes(key))),
    ]),
  ].join('\n');
}

function renderColumns(columns: readonly DescribedColumn[]): readonly string[] {
  return ['', ...columns.map(({ key, kind, about }) => `- \`${key}\` ${valueKinds[kind].sql}: ${about}`)];
}
