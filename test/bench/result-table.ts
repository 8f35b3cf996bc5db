import { type Benchmark, isMet, type Row, ratioOf } from './benchmark.ts';

/** What one benchmark came to. */
export interface Result {
  readonly benchmark: Benchmark;
  readonly rows: readonly Row[];
  readonly remarks: readonly string[];
  readonly durationMs: number;
}

const heads = ['what', 'value', 'ratio', 'goal', 'met'];

/** As a table for a terminal. */
export function renderText({ benchmark, rows, remarks, durationMs }: Result): string {
  const table = rows.length === 0 ? [] : [heads, ...rows.map(row => renderCells(row, rows))];
  const widths = heads.map((_, column) => Math.max(...table.map(cells => cells[column]?.length ?? 0)));
  const lines = table.map(cells => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const title = `${benchmark.name} (${(durationMs / 1000).toFixed(0)} s): ${benchmark.goal}`;
  return [title, ...lines.map(line => `  ${line.trimEnd()}`), ...remarks.map(line => `  ${line}`), ''].join(
    '\n',
  );
}

/** Rows of the table of goals in Markdown, without values that have no goal; why it failed is a row, too. */
export function renderGoals({ benchmark, rows, remarks }: Result): readonly string[] {
  const failed = remarks.filter(remark => remark.startsWith('failed'));
  const judged = rows.filter(({ goal }) => goal !== undefined);
  return [
    ...judged.map(row => [row.what, renderMeasured(row, rows), renderGoal(row)]),
    ...failed.map(remark => [remark, '', '']),
  ].map(cells => `| ${benchmark.name}: ${cells.join(' | ')} |`);
}

/** What is bounded: the ratio or the value, and that the bound was missed. */
function renderMeasured(row: Row, rows: readonly Row[]): string {
  const [, value = '', ratio = '', , met] = renderCells(row, rows);
  const measured = row.goal?.of === 'ratio' ? ratio : value;
  return met === 'NO' ? `${measured}, **missed**` : measured;
}

function renderCells(row: Row, rows: readonly Row[]): readonly string[] {
  const ratio = ratioOf(row, rows);
  const met = isMet(row, rows);
  return [
    row.what,
    `${renderNumber(row.value)} ${row.unit}`.trim(),
    ratio === undefined ? '' : `${renderNumber(ratio)} ×`,
    renderGoal(row),
    met === undefined ? '' : met ? 'yes' : 'NO',
  ];
}

function renderGoal({ goal, unit }: Row): string {
  if (goal === undefined) return '';
  const after = goal.of === 'ratio' ? '×' : unit;
  if (goal.atMost !== undefined) return `≤ ${renderNumber(goal.atMost)} ${after}`.trim();
  return goal.atLeast === undefined ? '' : `≥ ${renderNumber(goal.atLeast)} ${after}`.trim();
}

/** Three significant digits; large numbers whole and in groups. */
function renderNumber(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-GB');
  return String(Number(value.toPrecision(3)));
}
