import type { DescribedColumn } from '../../../report/format/report.ts';
import { costLines } from './cost-line.ts';
import { endpointDays, endpointStates } from './endpoint-day.ts';
import { keyUses } from './key-use.ts';
import { dayColumns, type LakeTable, projectColumns } from './lake-table.ts';
import { operations } from './operation.ts';
import { projects } from './project.ts';
import { usageHours } from './usage-hour.ts';

/** All tables that are written. */
export const lakeTables: readonly LakeTable[] = [
  usageHours,
  costLines,
  operations,
  endpointStates,
  endpointDays,
  keyUses,
  projects,
];

/** The tables and their columns, as lists of Markdown. */
export function renderTables(): string {
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
