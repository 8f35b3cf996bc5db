import type { TextBuffer } from './text-buffer.ts';

/** Consecutive lines that begin alike, as no other does, and what takes their place. */
export interface Exchange {
  readonly beginning: string;
  readonly lines: string;
}

const newline = 10;

/**
 * Puts a text into the buffer with some of its lines exchanged.
 *
 * @param exchanges in the order of the text.
 * @returns how many lines gave way; undefined where some were not found, and the buffer holds nothing of use.
 */
export function exchangeLines(
  text: Buffer,
  exchanges: readonly Exchange[],
  buffer: TextBuffer,
): number | undefined {
  buffer.clear();
  let removed = 0;
  let at = 0;
  for (const { beginning, lines } of exchanges) {
    const wanted = Buffer.from(beginning);
    const start = text.indexOf(wanted, at);
    if (start < 0) return undefined;
    buffer.appendBytes(text.subarray(at, start));
    buffer.append(lines);
    at = start;
    while (wanted.equals(text.subarray(at, at + wanted.length))) {
      at = text.indexOf(newline, at) + 1;
      removed += 1;
    }
  }
  buffer.appendBytes(text.subarray(at));
  return removed;
}
