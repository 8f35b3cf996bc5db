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

function renderColumns(columns: readonly DescribedColumn[]): readonly string[] {
  return ['', ...columns.map(({ key, about }) => `- \`${key}\`: ${about}`)];
}
