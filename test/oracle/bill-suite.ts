import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithPeers } from '../support/peer.ts';
import { testSeed } from '../support/seed.ts';
import type { BillCase } from './bill-case.ts';
import { askOracle } from './oracle-bill.ts';
import { programBill } from './program-bill.ts';
import { randomCase } from './random-case.ts';
import { showBill } from './shown-bill.ts';

const batchSize = 250;
const kinds = [
  'adjustment',
  'allowance',
  'base_fee',
  'counted',
  'credit',
  'line',
  'metered',
  'minimum',
  'rounding',
  'tax',
  'usage',
];

/**
 * That the program makes the bills that an oracle in another language makes by the documented rules.
 *
 * @param leastKinds how many kinds of lines must be among them: a single batch may lack the rarest.
 */
export function describeRandomBills(batches: number, leastKinds = kinds.length): void {
  const seed = testSeed();
  describeWithPeers(['python3'], 'bills of an oracle in another language', ({ python3 }) => {
    test(`each line of ${batches * batchSize} random bills is the oracle's, to the last fraction (TEST_SEED=${seed})`, () => {
      const seen = new Set<string>();
      for (let batch = 0; batch < batches; batch += 1) {
        const cases = fc.sample(randomCase, { seed: seed + batch, numRuns: batchSize });
        const name = `TEST_SEED=${seed}, batch ${batch}`;
        for (const kind of compareBills(python3, cases, name)) seen.add(kind);
      }
      expect(kinds).toEqual(expect.arrayContaining([...seen]));
      expect(seen.size).toBeGreaterThanOrEqual(leastKinds);
    }, 300_000);
  });
}

/** @returns the kinds of the lines in bills that the oracle and the program make alike. */
export function compareBills(python3: string, cases: readonly BillCase[], name: string): readonly string[] {
  const bills = askOracle(python3, cases);
  return cases.flatMap((asked, index) => {
    const expected = bills[index] ?? [];
    expect(showBill(programBill(asked)), `${name}, bill ${index}`).toEqual(showBill(expected));
    return expected.map(({ kind }) => kind);
  });
}
