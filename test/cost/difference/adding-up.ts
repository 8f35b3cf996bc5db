import { type Cause, sumCauses } from '../../../src/cost/difference/cause.ts';
import { type Amount, compareAmounts } from '../../../src/cost/money/money.ts';

/** Whether causes come to a total to the last decimal, and so does what each of them consists of, in money and in use. */
export function addsUp(total: Amount, causes: readonly Cause[]): boolean {
  return compareAmounts(sumCauses(causes), total) === 0 && causes.every(consistsOfParts);
}

function consistsOfParts({ amount, cuMs = 0, children }: Cause): boolean {
  if (children.length === 0) return true;
  const use = children.reduce((sum, child) => sum + (child.cuMs ?? 0), 0);
  return use === cuMs && addsUp(amount, children);
}
