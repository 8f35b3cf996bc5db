import { nameType } from './column.ts';
import { lakeTables } from './lake-table-list.ts';

const descriptions: Readonly<Record<string, string>> = {
  usage_hours: 'Use of a project in an hour in which anything was used or metered.',
  cost_lines:
    "The cost of a day's use by project and price, and charges of billing periods that end in the day.",
  operations: 'An operation that ended in the day.',
  endpoint_states: 'A time of an endpoint in one state, cut at the ends of days.',
  endpoint_days: 'What an endpoint did in a day, and its share of what its project used.',
  key_uses: 'A use of an API key from one address, cut at the ends of days; one that goes on is one.',
  projects: 'A project that was there in the day.',
};

/** The tables and their columns, as a table of Markdown. */
export function renderTables(): string {
  const shared = lakeTables[0]?.columns.slice(0, sharedColumns) ?? [];
  const names = shared.map(({ name }) => name);
  const rows = lakeTables.map(({ name, columns }) => {
    const own = columns.filter(column => !names.includes(column.name));
    const cells = own.map(column => `\`${column.name}\` ${nameType(column.type)}`);
    return `| \`${name}\` | ${descriptions[name]} | ${cells.join(', ')} |`;
  });
  const all = shared.map(column => `\`${column.name}\` ${nameType(column.type)}`).join(', ');
  return [
    `All but \`key_uses\`, which has the first two, begin with ${all}.`,
    '',
    '| table | a row is | and its columns |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Account and day, and the columns of a project. */
const sharedColumns = 12;
