import type { BillingPeriod } from '../resources/price-book.ts';
import { group, type NodeKind, single } from './node-kind.ts';
import { date, wholeNumber } from './spending-kind.ts';
import { childOf } from './written-node.ts';

const expected = 'write month, {anchor_day: 15} or {hours: 744, from: 2026-01-01}';

export const defaultBillingPeriod: BillingPeriod = { kind: 'month', anchorDay: 1 };

const month = single(expected, text => (text === 'month' ? { value: defaultBillingPeriod } : { expected }));

const anchored = group(
  expected,
  { anchor_day: wholeNumber('write a day of the month, 1 to 31', { least: 1, most: 31 }) },
  {},
);

const fixed = group(
  expected,
  { hours: wholeNumber('write a number of hours, 24 to 8784', { least: 24, most: 8784 }), from: date },
  {},
);

export const billingPeriod: NodeKind<BillingPeriod> = {
  expected,
  read: (node, problems) => {
    if (node.kind !== 'group') return month.read(node, problems);
    if (childOf(node, 'hours') === undefined && childOf(node, 'from') === undefined) {
      const value = anchored.read(node, problems);
      return value && { kind: 'month', anchorDay: value.anchor_day };
    }
    const value = fixed.read(node, problems);
    return value && { kind: 'hours', hours: value.hours, anchorAt: value.from };
  },
};
