import { largest } from '../../resources/extreme.ts';
import type { BegunAnew } from './repair/begun-anew.ts';
import type { Salvage } from './salvage.ts';
import type { CopiedTable } from './table-copy.ts';

export const salvageFormats = ['table', 'json'] as const;
export type SalvageFormat = (typeof salvageFormats)[number];

/** The outcome of a salvage, for people or for programs. */
export function renderSalvage(salvage: Salvage, format: SalvageFormat): string {
  return format === 'json' ? renderJson(salvage) : renderTable(salvage);
}

function renderTable({ from, to, tables, begunAnew, isLogLost, isWhole }: Salvage): string {
  const shown = tables.filter(table => table.savedRows > 0 || describeLoss(table) !== '');
  const names = largest(['table', ...shown.map(({ table }) => table)].map(({ length }) => length));
  const counts = largest(
    ['saved', ...shown.map(({ savedRows }) => count(savedRows))].map(({ length }) => length),
  );
  const lines = [
    `${from}: saved ${isWhole ? 'whole' : 'in part'} to ${to}`,
    `  ${'table'.padEnd(names)}  ${'saved'.padStart(counts)}  lost`,
    ...shown.map(table =>
      `  ${table.table.padEnd(names)}  ${count(table.savedRows).padStart(counts)}  ${describeLoss(table)}`.trimEnd(),
    ),
    ...(isLogLost ? ['  its write-ahead log cannot be read: what was in it alone is lost'] : []),
    ...begunAnew.map(each => `  begin anew: ${describeBegunAnew(each)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderJson({ from, to, format, tables, begunAnew, isLogLost, isWhole }: Salvage): string {
  const told = {
    from,
    to,
    is_whole: isWhole,
    format,
    is_log_lost: isLogLost,
    tables: tables.map(each => ({
      table: each.table,
      saved_rows: each.savedRows,
      rebuilt_rows: each.rebuiltRows,
      dropped_rows: each.droppedRows,
      lost_pages: each.lostPages,
      lost_rows_about: each.lostRowsAbout,
      lost_from: instant(each.lostFromAt),
      lost_until: instant(each.lostUntilAt),
      is_left_out: each.isLeft,
    })),
    begin_anew: begunAnew,
  };
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

/** The losses of a table, as a clause; empty where there are none. */
export function describeLoss(table: CopiedTable): string {
  const { rebuiltRows, droppedRows, lostPages, lostRowsAbout, isLeft, lostFromAt, lostUntilAt } = table;
  if (isLeft) return 'all, left out as there was no time';
  const unread = lostRowsAbout === undefined ? 'all that there was' : `about ${count(lostRowsAbout)}`;
  const parts = [
    lostPages > 0 && (lostRowsAbout !== undefined || rebuiltRows === 0) ? unread : '',
    rebuiltRows > 0 ? `of ${count(rebuiltRows)} all but the name` : '',
    droppedRows > 0 ? `${count(droppedRows)} of what is lost` : '',
    lostFromAt === undefined ? '' : `between ${instant(lostFromAt)} and ${instant(lostUntilAt)}`,
  ];
  return parts.filter(part => part !== '').join(', ');
}

/** Named one by one; of more there is only the number. */
const mostNamed = 10;

export function describeBegunAnew({ metrics, of }: BegunAnew): string {
  const named = of.slice(0, mostNamed).join(', ');
  const more = of.length > mostNamed ? ` and ${count(of.length - mostNamed)} more` : '';
  return `${metrics.join(', ')} of ${of.length === 0 ? 'what is lost altogether' : `${named}${more}`}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
