import { styleText } from 'node:util';
import type { Io } from './io.ts';

interface ProgressOptions {
  /** Whether nothing is shown at all. */
  readonly isHidden?: boolean;
  /** Work that takes no longer than this says nothing. */
  readonly patienceMs?: number;
}

/** How often the pace of work is shown anew. */
const paceMs = 500;

/**
 * Does long work and shows on a terminal how far it is, in whole percent; the line goes when the work ends.
 *
 * @param work is given a function to be called with the part that is done, 0 to 1, and how fast it goes, if that is known.
 */
export async function withProgress<Result>(
  { stderr, stderrIsTerminal }: Pick<Io, 'stderr' | 'stderrIsTerminal'>,
  what: string,
  work: (show: (done: number, pace?: string) => void) => Result | Promise<Result>,
  { isHidden = false, patienceMs = 0 }: ProgressOptions = {},
): Promise<Result> {
  const startedAt = performance.now();
  let shown = -1;
  let shownAt = startedAt;
  let latest = 0;
  const show = (done: number, pace?: string) => {
    latest = done;
    const percent = Math.floor(100 * done);
    const now = performance.now();
    const isDue = percent !== shown || (pace !== undefined && now - shownAt >= paceMs);
    if (!stderrIsTerminal || isHidden || !isDue || now - startedAt < patienceMs) return;
    shown = percent;
    shownAt = now;
    stderr(pace === undefined ? `\r${what}: ${percent}%` : `\r\u001b[K${what}: ${percent}%, ${pace}`);
  };
  // Work that waits for others says nothing by itself for a while. A timer may be a little early.
  const timer = patienceMs > 0 ? setTimeout(() => show(latest), patienceMs + 1) : undefined;
  try {
    return await work(show);
  } finally {
    clearTimeout(timer);
    if (shown >= 0) stderr('\r\u001b[K');
  }
}

/** The kinds of painted text, from which the colour follows. */
type PaintedAs = 'title' | 'term' | 'failure' | 'warning';

const styles = { title: 'bold', term: 'cyan', failure: 'red', warning: 'yellow' } as const;

/** A text as it looks on a terminal that has colours; the caller says whether it has (main.ts reads `NO_COLOR`). */
export function paint(text: string, as: PaintedAs, hasColors: boolean): string {
  return hasColors ? styleText(styles[as], text, { validateStream: false }) : text;
}

/** Prints a sentence on stderr after a word that says what it is: `warning: …`. */
export function printNote(
  { stderr, stderrHasColors }: Pick<Io, 'stderr' | 'stderrHasColors'>,
  word: 'warning' | 'partial' | 'accepted',
  sentence: string,
): void {
  stderr(`${paint(`${word}:`, 'warning', stderrHasColors)} ${sentence}\n`);
}
