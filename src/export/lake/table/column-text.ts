import type { DescribedColumn } from '../../../report/format/report.ts';
import { lakeTables } from './lake-table-list.ts';

/** Account and day, and the columns of a project. */
const sharedColumns = 12;

/** The tables and their columns, as lists of Markdown. */
export function renderTables(): string {
  const shared = lakeTables[0]?.columns.slice(0, sharedColumns) ?? [];
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
