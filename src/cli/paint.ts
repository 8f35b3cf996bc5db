import { styleText } from 'node:util';
import type { Io } from './io.ts';

/** The kinds of painted text, from which the colour follows. */
export type PaintedAs = 'title' | 'term' | 'failure' | 'warning';

const styles = { title: 'bold', term: 'cyan', failure: 'red', warning: 'yellow' } as const;

/** A text as it looks on a terminal that has colours; the caller says whether it has (`NO_COLOR` is heeded in main.ts). */
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
