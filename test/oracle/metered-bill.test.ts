import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeWithPeers } from '../support/peer.ts';
import { compareBills } from './bill-suite.ts';
import { meteredCase } from './random-case.ts';

const bills = 60;

describeWithPeers(['python3'], 'metered bills of an oracle in another language', ({ python3 }) => {
  const seed = Number(process.env.BILL_SEED ?? Math.floor(Math.random() * 2 ** 31));

  test(`each line of storage, transfer and branches is the oracle's, to the last fraction (BILL_SEED=${seed})`, () => {
    const cases = fc.sample(meteredCase, { seed, numRuns: bills });
    const kinds = compareBills(python3, cases, `BILL_SEED=${seed}`);
    expect(kinds.filter(kind => kind === 'metered').length).toBeGreaterThan(bills);
  });
});
