import type { Part } from './part-list.ts';

/** What a part came to when it ran last. */
export interface Outcome {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Short, with a star where the tree had changes besides. */
  readonly commit: string;
  readonly tookMs: number;
  readonly seed: number | undefined;
  /** Tests; undefined for a script, which only says whether all is well. */
  readonly passed: number | undefined;
  readonly skipped: number | undefined;
  /** Names of what failed. */
  readonly failed: readonly string[];
}

const mostNames = 10;
const heads = ['part', 'what it is for', 'last run', 'failed'];
const notRun = ['–', '–'];

/** The cells of a row, behind those for the part and its purpose. */
type Cells = readonly string[];

export function renderOutcome({ date, commit, tookMs, seed, passed, skipped, failed }: Outcome): Cells {
  const seconds = Math.round(tookMs / 1000);
  const took = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const names = failed.slice(0, mostNames).map(name => name.replaceAll('|', '\\|').replaceAll('\n', ' '));
  if (failed.length > mostNames) names.push(`${failed.length - mostNames} more`);
  const drawn = seed === undefined ? '' : `, seed ${seed}`;
  const counts = passed === undefined ? '' : `: ${passed} passed, ${skipped ?? 0} skipped`;
  const run = `${date}, ${commit}, ${took}${drawn}${counts}`;
  return [run, names.length > 0 ? names.join('<br>') : 'nothing'];
}

/** The page, with a row for each part. */
export function renderPage(parts: readonly Part[], outcomes: ReadonlyMap<string, Cells>): string {
  const rows = parts.map(({ name, purpose }) => [name, purpose, ...(outcomes.get(name) ?? notRun)]);
  return `# Endurance

**What runs for hours, and what came of it?** \`npm run endurance\` runs all that waits, repeats or measures, and writes this page.
A star marks a commit with changes that were not committed. \`npm run endurance -- --only PART --seed SEED\` repeats a row.

${[heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

/** What an earlier page says of each part. */
export function readPage(page: string): ReadonlyMap<string, Cells> {
  const rows = Array.from(page.matchAll(/^\| (.*) \|$/gm), ([, row = '']) => row.split(' | '));
  return new Map(rows.slice(2).map(([name = '', _purpose, ...cells]) => [name, cells]));
}
