import { expect, test } from 'vitest';
import { sumOf } from '../cost/fraction.ts';
import { describeWithPeers } from '../support/peer.ts';
import { describeRandomBills } from './bill-suite.ts';
import { documentedCases } from './documented-case.ts';
import { askOracle } from './oracle-bill.ts';
import { programBill } from './program-bill.ts';
import { readFraction, showBill } from './shown-bill.ts';

describeRandomBills(1, 7);

describeWithPeers(['python3'], 'bills of the documents', ({ python3 }) => {
  const cases = documentedCases();
  const bills = askOracle(
    python3,
    cases.map(({ asked }) => asked),
  );

  test('there are some', () => {
    expect(cases.length).toBeGreaterThanOrEqual(8);
  });

  test.each(cases.map(({ title }, index) => [title, index] as const))(
    'the oracle, the program and the page agree: %s',
    (_title, index) => {
      const [{ asked, total } = {}, bill = []] = [cases[index], bills[index]];
      expect(showBill(asked ? programBill(asked) : [])).toEqual(showBill(bill));
      expect(sumOf(bill.map(({ amount = '0' }) => readFraction(amount))).toString()).toBe(total?.toString());
    },
  );
});
