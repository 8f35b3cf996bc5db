import { showNumber } from './number.ts';

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** A count at the beginning of a sentence: small ones in words. */
export function countWord(count: number): string {
  return words[count] ?? showNumber(count);
}

/** A count and what is counted: `1 project`, `28 projects`. */
export function countOf(count: number, noun: string): string {
  return `${showNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
