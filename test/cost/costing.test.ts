import { describe, expect, test } from 'vitest';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { amountNumber, showAmount } from '../../src/cost/money/money.ts';
import { hourPrice } from '../../src/cost/price/price-lookup.ts';
import { sumLines } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { lineText, stretch } from './line-text.ts';
import { ledgerOf, type ScriptedProject } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const october = stretch('2026-10-01', '2026-11-01');

function linesOf(book: PriceBook, projects: readonly ScriptedProject[], period: Period = october): string[] {
  return Array.from(createCosting({ book, ledger: ledgerOf(projects) }).usageLines(period), lineText);
}

describe('the price', () => {
  test('of a month is its compute hours times the price', () => {
    const always = { steps: [['2026-09-01', '2026-12-01', 91 * 24]] } as const;
    expect(linesOf(bookOf([planWith()]), [always])).toEqual([
      'project-1 2026-10-01..2026-11-01: 744 billed, 119.04 USD, shown as 119.04',
    ]);
  });

  test('changes in the middle of a month for what is used from then on', () => {
    const prices = pricesOf(
      { until: '2026-10-11', price: '0.10' },
      { from: '2026-10-11', price: '0.20', discount: '12.5' },
    );
    const daily = { steps: [['2026-10-01', '2026-11-01', 31]] } as const;
    expect(linesOf(bookOf([planWith({ prices })]), [daily])).toEqual([
      'project-1 2026-10-01..2026-10-11: 10 billed, 1 USD, shown as 1',
      'project-1 2026-10-11..2026-11-01: 21 billed, 3.675 USD, shown as 3.675',
    ]);
  });

  test('of the first plan that matches counts, also by group, and what no plan matches is unpriced', () => {
    const book = bookOf([
      planWith({ name: 'team', match: { groups: ['team/shop'] }, prices: pricesOf({ price: '1' }) }),
      planWith({ name: 'cheap', match: { projects: ['b*'] }, prices: pricesOf({ price: '0.5' }) }),
    ]);
    const steps = [['2026-10-02', '2026-10-03', 2]] as const;
    const ledger = ledgerOf(['a', 'b', 'c'].map(project_id => ({ project_id, steps })));
    const groupsOf = ({ project_id }: { project_id: string }) => (project_id === 'a' ? ['team/shop'] : []);
    const lines = [...createCosting({ book, ledger, groupsOf }).usageLines(october)];
    expect(lines.map(lineText)).toEqual([
      'a 2026-10-01..2026-11-01: 2 billed, 2 USD, shown as 2',
      'b 2026-10-01..2026-11-01: 2 billed, 1 USD, shown as 1',
      'c 2026-10-01..2026-11-01: 2 unpriced',
    ]);
  });

  test('of a gap is unknown, not 0, and what is used in it does not use up included hours', () => {
    const prices = pricesOf({ until: '2026-10-11', price: '1' }, { from: '2026-10-21', price: '1' });
    const plan = planWith({ prices, included: { computeHours: '12', per: 'project' } });
    const daily = { steps: [['2026-10-01', '2026-11-01', 31]] } as const;
    expect(linesOf(bookOf([plan]), [daily])).toEqual([
      'project-1 2026-10-01..2026-10-11: 10 included, 0 USD, shown as 0',
      'project-1 2026-10-11..2026-10-21: 10 unpriced',
      'project-1 2026-10-21..2026-11-01: 2 included, 9 billed, 9 USD, shown as 9',
    ]);
  });

  test('of one more hour is shown in the display currency, and is undefined where it is not known', () => {
    const prices = pricesOf({ from: '2026-10-01', price: '0.2', discount: '10' });
    const plan = planWith({ currency: 'EUR', prices });
    const book = bookOf([plan], {
      exchangeRates: [{ currency: 'EUR', fromAt: Date.parse('2026-10-05'), rate: '1.5' }],
    });
    const shown = ['2026-09-30', '2026-10-04', '2026-10-05'].map(date => {
      const price = hourPrice(book, plan, Date.parse(date));
      return price && showAmount(price, 2);
    });
    expect(shown).toEqual([undefined, undefined, '0.27']);
  });

  test('of one more hour is that of the tier that is reached by then', () => {
    const tiers = [{ beyondHours: '10', perComputeHour: '1' }];
    const plan = planWith({ prices: pricesOf({ price: '2' }).map(price => ({ ...price, tiers })) });
    const shown = [0, 9.9, 10, 11].map(hours => {
      const price = hourPrice(bookOf([plan]), plan, Date.parse('2026-10-15'), hours * 3_600_000);
      return price && showAmount(price, 2);
    });
    expect(shown).toEqual(['2.00', '2.00', '1.00', '1.00']);
  });
});

describe('the currency', () => {
  const steps = [['2026-10-01', '2026-11-01', 31]] as const;
  const prices = pricesOf({ price: '2' });

  test('is converted at the rate in force while it was used', () => {
    const book = bookOf([planWith({ currency: 'EUR', prices })], {
      exchangeRates: [
        { currency: 'EUR', fromAt: Date.parse('2026-01-01'), rate: '1.1' },
        { currency: 'EUR', fromAt: Date.parse('2026-10-22'), rate: '1.2' },
      ],
    });
    expect(linesOf(book, [{ steps }])).toEqual([
      'project-1 2026-10-01..2026-10-22: 21 billed, 42 EUR, shown as 46.2',
      'project-1 2026-10-22..2026-11-01: 10 billed, 20 EUR, shown as 24',
    ]);
  });

  test('stays what it is while there is no rate, and is summed up apart', () => {
    const book = bookOf([planWith({ currency: 'EUR', prices })], {
      exchangeRates: [{ currency: 'EUR', fromAt: Date.parse('2026-10-22'), rate: '1.2' }],
    });
    const lines = [...createCosting({ book, ledger: ledgerOf([{ steps }]) }).usageLines(october)];
    expect(lines.map(lineText)).toEqual([
      'project-1 2026-10-01..2026-10-22: 21 billed, 42 EUR',
      'project-1 2026-10-22..2026-11-01: 10 billed, 20 EUR, shown as 24',
    ]);
    const { amount, unconverted } = sumLines(lines);
    expect(amountNumber(amount)).toBe(24);
    expect([...unconverted].map(([currency, kept]) => [currency, amountNumber(kept)])).toEqual([['EUR', 42]]);
  });
});

describe('a stretch', () => {
  test('is cut at the ends of billing months, also of a leap February', () => {
    const steady = { steps: [['2028-01-01', '2028-04-01', 91]] } as const;
    expect(linesOf(bookOf([planWith()]), [steady], stretch('2028-01-31', '2028-03-02'))).toEqual([
      'project-1 2028-01-31..2028-02-01: 1 billed, 0.16 USD, shown as 0.16',
      'project-1 2028-02-01..2028-03-01: 29 billed, 4.64 USD, shown as 4.64',
      'project-1 2028-03-01..2028-03-02: 1 billed, 0.16 USD, shown as 0.16',
    ]);
  });

  test('of fixed 744 hours starts the included hours anew where one ends', () => {
    const billingPeriod = { kind: 'hours', hours: 744, anchorAt: Date.parse('2026-12-25') } as const;
    const plan = planWith({
      included: { computeHours: '30', per: 'project' },
      prices: pricesOf({ price: '1' }),
    });
    const steady = { steps: [['2026-09-01', '2026-12-01', 91]] } as const;
    // 744 hours are 31 days: before the anchor they begin on 24 November, 24 October and 23 September.
    expect(linesOf(bookOf([plan], { billingPeriod }), [steady], stretch('2026-09-23', '2026-11-24'))).toEqual(
      [
        'project-1 2026-09-23..2026-10-24: 30 included, 1 billed, 1 USD, shown as 1',
        'project-1 2026-10-24..2026-11-24: 30 included, 1 billed, 1 USD, shown as 1',
      ],
    );
  });

  test('counts what a deleted project used before it was gone', () => {
    const gone = {
      steps: [['2026-10-01', '2026-10-06', 10]],
      gone_at: Date.parse('2026-10-06'),
    } as const;
    expect(linesOf(bookOf([planWith()]), [gone])).toEqual([
      'project-1 2026-10-01..2026-11-01: 10 billed, 1.6 USD, shown as 1.6',
    ]);
  });

  test('in which a project used nothing has no line of it', () => {
    const used = { steps: [['2026-08-01', '2026-09-30', 10]] } as const;
    expect(linesOf(bookOf([planWith()]), [used])).toEqual([]);
  });
});

test('what-if is the same use under another price book', () => {
  const ledger = ledgerOf([{ steps: [['2026-10-01', '2026-11-01', 100]] }]);
  const costUnder = (book: PriceBook) =>
    showAmount(sumLines(createCosting({ book, ledger }).usageLines(october)).amount, 2);
  const included = { computeHours: '50', per: 'account' } as const;
  expect(costUnder(bookOf([planWith()]))).toBe('16.00');
  expect(costUnder(bookOf([planWith({ included, prices: pricesOf({ price: '0.26' }) })]))).toBe('13.00');
});
