/** Figures of one thing that was measured over many seeds. */
export interface QualityTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Something whose quality is a number. */
export interface Measurement {
  readonly name: string;
  measure(seeds: readonly number[]): readonly QualityTable[] | Promise<readonly QualityTable[]>;
}

/** Seeds in a row: those from 1 on are for measuring, constants were chosen by others, from 1,000 on. */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** As Markdown that a terminal shows in columns too. */
export function renderTable({ title, heads, rows }: QualityTable): string {
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...rows.map(cells => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = widths.map(width => '-'.repeat(width));
  return [title, '', ...[heads, rule, ...rows].map(line), ''].join('\n');
}

export function renderPercent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
