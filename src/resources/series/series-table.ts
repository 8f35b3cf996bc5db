import { collectors } from '../collector.ts';
import { seriesModes } from './family-selection.ts';
import { estimateSeries, type FleetSize, weighSeries } from './series-estimate.ts';

const fleet: FleetSize = { projects: 10_000, endpointsPerProject: 1 };

/** The documents' table of what a project costs in series, in Markdown. */
export function renderSeriesTable(): string {
  const columns = seriesModes.map(mode => {
    const selection = { mode, exclude: [], collectors };
    return { mode, ...weighSeries(selection), fleet: estimateSeries(fleet, selection) };
  });
  const row = (title: string, cells: readonly (string | number)[]) =>
    `| ${[title, ...cells.map(cell => cell.toLocaleString('en-US'))].join(' | ')} |`;
  return [
    row(
      'series of',
      columns.map(({ mode }) => `\`series.mode: ${mode}\``),
    ),
    '|---|---|---|',
    row(
      'a project with one endpoint',
      columns.map(({ project }) => project),
    ),
    row(
      'each further endpoint',
      columns.map(({ endpoint }) => endpoint),
    ),
    row(
      'an API key',
      columns.map(({ apiKey }) => apiKey),
    ),
    row(
      'an account',
      columns.map(({ account }) => account),
    ),
    row(
      'with a price book, an account more',
      columns.map(({ accountPrices }) => accountPrices),
    ),
    row(
      'with a price book, each project more',
      columns.map(({ projectPrices }) => projectPrices),
    ),
    row(
      'an account with 10,000 projects of one endpoint, without a price book',
      columns.map(each => each.fleet),
    ),
    '',
  ].join('\n');
}
