import { expect, test } from 'vitest';
import type { Cause } from '../../src/cost/difference/cause.ts';
import { amountOf } from '../../src/cost/money/money.ts';
import type { ReportRequest } from '../../src/report/request.ts';
import { summarizeDifference } from '../../src/report/why/sentence.ts';
import { showCauses } from '../../src/report/why/shown-cause.ts';

const span = (label: string) => ({ label, fromAt: 0, untilAt: 1000, timezone: 'UTC' });

function sentences(causes: readonly Cause[], [before, after, difference]: readonly [string, string, string]) {
  const against = { span: span('2026-10'), billedStretch: span('2026-10') };
  const request = { span: span('2026-11'), against } as unknown as ReportRequest;
  return summarizeDifference(
    { before, after, difference, causes: showCauses(causes, { difference, hours: '0.00' }, 2) },
    { request, against, currency: 'USD', decimals: 2 },
  );
}

const price = (amount: string): Cause => ({
  ...{ kind: 'price', amount: amountOf(amount), children: [] },
  evidence: '$0.4 a GB-month instead of $0.35',
});

test('another price of what is metered is named as such, apart from its use, in the words of the table', () => {
  const storage: Cause = {
    ...{ kind: 'charge', name: 'root branch storage (launch)', amount: amountOf('20') },
    evidence: '240 GB-month instead of 200 GB-month',
    children: [price('12'), { kind: 'project', amount: amountOf('8'), children: [] }],
  };
  expect(sentences([storage], ['70.00', '90.00', '20.00'])).toEqual([
    '$20.00 more in 2026-11 than in 2026-10: $90.00 instead of $70.00.',
    '$12.00 more from the price of root branch storage (launch): $0.4 a GB-month instead of $0.35.',
    '$8.00 more from the charge root branch storage (launch): 240 GB-month instead of 200 GB-month.',
  ]);
});

test('what is said adds up to the headline where each amount alone would be rounded to another sum', () => {
  const charge = (name: string, amount: string): Cause => {
    return { kind: 'charge', name, amount: amountOf(amount), children: [] };
  };
  const causes = [charge('one', '-41.915'), charge('two', '35.755'), charge('three', '-4.255')];
  // -41.92, 35.76 and -4.26 would be 10.42 less.
  expect(sentences(causes, ['30.00', '19.59', '-10.41'])).toEqual([
    '$10.41 less in 2026-11 than in 2026-10: $19.59 instead of $30.00.',
    '$41.91 less from the charge one.',
    '$35.76 more from the charge two.',
    '$4.26 less from the charge three.',
  ]);
});
