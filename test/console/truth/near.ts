import { expect } from 'vitest';
import { Fraction } from '../../cost/fraction.ts';

const msPerHour = Fraction.of(3_600_000);

export function hoursOf(cuMs: number): Fraction {
  return Fraction.of(cuMs).over(msPerHour);
}

/** That a figure with two decimals is what it is in truth, but for a number of halves of its last decimal. */
export function expectNear(shown: string | null, truth: Fraction, halves: number, what: string): void {
  const off = Fraction.of(shown ?? '0').minus(truth);
  const size = new Fraction(off.top < 0n ? -off.top : off.top, off.bottom);
  if (!size.isAbove(new Fraction(BigInt(halves), 200n))) return;
  const exact = Number(truth.top) / Number(truth.bottom);
  expect.fail(`${what}: ${shown} is shown, and the truth is ${exact}`);
}

/** Hundredths of decimals; what is absent counts as nothing. */
export function cents(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Math.round(100 * Number(text ?? 0)), 0);
}
