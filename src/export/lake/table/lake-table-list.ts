import type { DescribedColumn } from '../../../report/format/report.ts';
import { valueKinds } from '../../../report/format/value-kind.ts';
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

function renderColumns(columns: readonly DescribedColumn[]): readonly string[] {
  return ['', ...columns.map(({ key, kind, about }) => `- \`${key}\` ${valueKinds[kind].sql}: ${about}`)];
}
