import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import type { BillCase } from '../oracle/bill-case.ts';
import { programBill, readConfig } from '../oracle/program-bill.ts';
import { randomCase } from '../oracle/random-case.ts';
import { fuzz } from './fuzzing.ts';
import { mutateValue } from './mutation.ts';

const cases = fc.sample(randomCase, { numRuns: 20 });
const fraction = /^-?\d+(?:\/\d+)?$/;

/** Use of a project within the billing period of a case, up to the instant at which it is looked at. */
function usedIn(asked: BillCase, project: string): number {
  const { pricing } = readConfig(asked);
  if (pricing === undefined) throw new Error('no price book');
  const { fromAt, untilAt } = billingCalendar(pricing.billingPeriod)(asked.at);
  const until = Math.min(untilAt, asked.as_of);
  return asked.use
    .filter(use => use.project === project && use.at >= fromAt && use.at < until)
    .reduce((sum, { cu_ms }) => sum + cu_ms, 0);
}

function expectBill(asked: BillCase): void {
  const lines = programBill(asked);
  const shown = new Map<string, number>();
  for (const {
    kind,
    project = '',
    amount,
    display_amount,
    included = 0,
    billed = 0,
    unpriced = 0,
  } of lines) {
    for (const money of [amount, display_amount]) {
      if (money !== undefined && !fraction.test(money)) expect.fail(`${kind}: ${money}`);
    }
    if (kind === 'usage') shown.set(project, (shown.get(project) ?? 0) + included + billed + unpriced);
  }
  for (const { id } of asked.projects.filter(({ account }) => account === asked.account)) {
    expect(shown.get(id) ?? 0, id).toBe(usedIn(asked, id));
  }
}

describe('price books', () => {
  fuzz('make bills whose usage adds up to what was used', { quick: 2, long: 150 }, random => {
    expectBill(random.pick(cases));
  });

  fuzz('with mistakes have a problem, or make a bill that adds up', { quick: 6, long: 1000 }, random => {
    const asked = random.pick(cases);
    const mutated = { ...asked, pricing: mutateValue(asked.pricing, random) as object };
    try {
      if (readConfig(mutated).pricing === undefined) return;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('[{"where"')) return;
      throw error;
    }
    expectBill(mutated);
  });
});
