import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithPeers } from '../support/peer.ts';
import { testSeed } from '../support/seed.ts';
import { compareBills } from './bill-suite.ts';
import { meteredCase } from './random-case.ts';

const bills = 60;

describeWithPeers(['python3'], 'metered bills of an oracle in another language', ({ python3 }) => {
  const seed = testSeed();

  test(`each line of storage, transfer and branches is the oracle's, to the last fraction (TEST_SEED=${seed})`, () => {
    const cases = fc.sample(meteredCase, { seed, numRuns: bills });
    const kinds = compareBills(python3, cases, `TEST_SEED=${seed}`);
    expect(kinds.filter(kind => kind === 'metered').length).toBeGreaterThan(bills);
  });
});
