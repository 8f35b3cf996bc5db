import { expect, test } from 'vitest';
import { explainDifference } from '../../../src/cost/difference/bill-difference.ts';
import type { Cause } from '../../../src/cost/difference/cause.ts';
import { lineValues } from '../../../src/cost/difference/valued-use.ts';
import { amountNumber } from '../../../src/cost/money/money.ts';
import { createCosting } from '../../../src/cost/rating/costing.ts';
import type { EndpointPast } from '../../../src/resources/endpoint-history.ts';
import type { PriceBook } from '../../../src/resources/price-book.ts';
import { computeHourMs } from '../../../src/resources/usage/ledger.ts';
import { stretch } from '../line-text.ts';
import { ledgerOf, type ScriptedProject } from '../memory-ledger.ts';
import { bookOf, planWith, pricesOf } from '../price-book-sample.ts';

const october = stretch('2026-10-01', '2026-11-01');
const november = stretch('2026-11-01', '2026-12-01');

interface Explained {
  readonly periods?: { readonly before: typeof october; readonly after: typeof october };
  readonly endpoints?: readonly EndpointPast[];
}

/** Causes as they are worked out by hand: kind, what it is about, money, and compute hours where it is of use. */
function explain(
  book: PriceBook,
  projects: readonly ScriptedProject[],
  { periods, endpoints }: Explained = {},
) {
  const ledger = ledgerOf(projects);
  const costing = createCosting({ book, ledger });
  const { before, after } = periods ?? { before: october, after: november };
  const linesOf = (period: typeof october) => [
    ...costing.usageLines(period),
    ...costing.chargeLines(period, after.untilAt),
  ];
  const { difference, causes } = explainDifference({
    periods: { before, after },
    before: linesOf(before),
    after: linesOf(after),
    projects: ledger.projects,
    values: lineValues(book, costing),
    endpointsOf: () => endpoints,
  });
  return { difference: round(amountNumber(difference)), causes: causes.map(each => causeText(each)) };
}

function causeText({ kind, name, project, amount, cuMs, evidence, children }: Cause): string {
  const about = [name, project?.project_id].filter(text => text !== undefined).join(' ');
  const hours = cuMs === undefined ? '' : ` ${round(cuMs / computeHourMs)} h`;
  const said = evidence === undefined ? '' : ` (${evidence})`;
  const parts = children.length === 0 ? '' : ` = ${children.map(causeText).join(' + ')}`;
  return `${kind}${about === '' ? '' : ` ${about}`}: ${round(amountNumber(amount))}${hours}${said}${parts}`;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

test('an unchanged fleet differs by the days of the month alone', () => {
  const project = { steps: [['2026-10-01', '2026-12-01', 61 * 24]] } as const;
  expect(explain(bookOf([planWith()]), [project])).toEqual({
    difference: -3.84,
    causes: ['days: -3.84 -24 h'],
  });
});

test('more use counts at the old price, and a new price for the use of now', () => {
  const prices = pricesOf({ price: '0.10', until: '2026-11-01' }, { price: '0.12', from: '2026-11-01' });
  const project: ScriptedProject = {
    steps: [
      ['2026-10-01', '2026-11-01', 310],
      ['2026-11-01', '2026-12-01', 400],
    ],
  };
  expect(explain(bookOf([planWith({ prices })]), [project])).toEqual({
    difference: 17,
    causes: [
      'project project-1: 10 100 h = use project-1: 10 100 h',
      'price standard: 8 ($0.12 a compute hour instead of $0.1)',
      'days: -1 -10 h',
    ],
  });
});

test('a price that ended or began is told with its currency', () => {
  const project: ScriptedProject = { steps: [['2026-10-01', '2026-12-01', 61 * 24]] };
  const causesOf = (prices: ReturnType<typeof pricesOf>) =>
    explain(bookOf([planWith({ prices })]), [project]).causes.find(each => each.startsWith('price'));
  expect(causesOf(pricesOf({ price: '0.10', until: '2026-11-01' }))).toContain(
    '(no price instead of $0.1 a compute hour)',
  );
  expect(causesOf(pricesOf({ price: '0.10', from: '2026-11-01' }))).toContain(
    '($0.1 a compute hour instead of no price)',
  );
});

test('an exchange rate is a cause of its own, also for charges', () => {
  const plan = planWith({ currency: 'EUR', prices: pricesOf({ price: '1' }), baseFee: '10' });
  const exchangeRates = [
    { currency: 'EUR', fromAt: 0, rate: '1.1' },
    { currency: 'EUR', fromAt: november.fromAt, rate: '1.2' },
  ];
  const project = { steps: [['2026-10-01', '2026-12-01', 61]] } as const;
  expect(explain(bookOf([plan], { exchangeRates }), [project])).toEqual({
    difference: 2.9,
    causes: [
      'exchange_rate EUR: 4 (its rate was 1.2 at the end, and 1.1 at the beginning of the period before)',
      'days: -1.1 -1 h',
    ],
  });
});

test('included hours and the minimum take back what more use adds', () => {
  const plan = planWith({
    prices: pricesOf({ price: '1' }),
    included: { computeHours: '50', per: 'account' },
    minimum: '20',
  });
  const projects: ScriptedProject[] = [
    {
      steps: [
        ['2026-10-02', '2026-10-03', 31],
        ['2026-11-02', '2026-11-03', 75],
      ],
    },
  ];
  expect(explain(bookOf([plan]), projects)).toEqual({
    difference: 5,
    causes: [
      'project project-1: 45 45 h = use project-1: 45 45 h',
      'charge minimum (standard): -20',
      'included_usage standard: -19 (50 included compute hours were used instead of 31)',
      'days: -1 -1 h',
    ],
  });
});

test('use in a higher tier is no other price', () => {
  const [price] = pricesOf({ price: '1' });
  if (price === undefined) throw new Error('one price');
  const plan = planWith({ prices: [{ ...price, tiers: [{ beyondHours: '100', perComputeHour: '0.5' }] }] });
  const project: ScriptedProject = {
    steps: [
      ['2026-10-01', '2026-11-01', 93],
      ['2026-11-01', '2026-12-01', 150],
    ],
  };
  expect(explain(bookOf([plan]), [project])).toEqual({
    difference: 32,
    causes: [
      'project project-1: 60 60 h = use project-1: 60 60 h',
      'included_usage standard: -25',
      'days: -3 -3 h',
    ],
  });
});

test('projects that are new or gone are causes as a whole, at the price of before', () => {
  const prices = pricesOf({ price: '1', until: '2026-11-01' }, { price: '2', from: '2026-11-01' });
  const stayed = { steps: [['2026-10-01', '2026-12-01', 61]] } as const;
  const come: ScriptedProject = {
    created_at: Date.parse('2026-11-10'),
    steps: [['2026-11-10', '2026-12-01', 40]],
  };
  const gone: ScriptedProject = {
    created_at: Date.parse('2026-01-01'),
    gone_at: Date.parse('2026-11-02'),
    steps: [['2026-10-01', '2026-11-01', 31]],
  };
  expect(explain(bookOf([planWith({ prices })]), [stayed, come, gone])).toEqual({
    difference: 78,
    causes: [
      'price standard: 70 ($2 a compute hour instead of $1)',
      'new_project project-2: 40 40 h',
      'gone_project project-3: -31 -31 h',
      'days: -1 -1 h',
    ],
  });
});

test('a project that cost something before is not new: it existed for longer', () => {
  const come: ScriptedProject = {
    created_at: Date.parse('2026-10-20'),
    steps: [
      ['2026-10-20', '2026-11-01', 12],
      ['2026-11-01', '2026-12-01', 40],
    ],
  };
  expect(explain(bookOf([planWith({ prices: pricesOf({ price: '1' }) })]), [come])).toEqual({
    difference: 28,
    causes: ['project project-1: 28 28 h = lifetime project-1: 28 28 h'],
  });
});

test('a project that stayed is awake for longer, and then larger', () => {
  const day = 86_400_000;
  const hours = (at: number, count: number) => ({ fromAt: at, untilAt: at + count * 3_600_000 });
  const days = Array.from({ length: 61 }, (_, index) => october.fromAt + index * day);
  const endpoint: EndpointPast = {
    past: {
      ...{ account: 'acme', project_id: 'project-1', endpoint_id: 'ep-1' },
      ...{ fromAt: october.fromAt, untilAt: november.untilAt },
      awake: days.map(at => hours(at + 3_600_000, at < november.fromAt ? 2 : 3)),
      checks: [],
    },
    sizes: [
      { fromAt: 0, minCu: 1, maxCu: 1 },
      { fromAt: november.fromAt, minCu: 4, maxCu: 4 },
    ],
  };
  const project: ScriptedProject = {
    steps: [
      ['2026-10-01', '2026-11-01', 62],
      ['2026-11-01', '2026-12-01', 360],
    ],
  };
  const book = bookOf([planWith({ prices: pricesOf({ price: '1' }) })]);
  expect(explain(book, [project], { endpoints: [endpoint] })).toEqual({
    difference: 298,
    causes: [
      'project project-1: 300 300 h = ' +
        'resize project-1: 270 270 h (its size became 4 CU instead of 1 CU, and was 4 CU instead of 1 CU on average while awake) + ' +
        'awake project-1: 30 30 h (woken 30 times instead of 31, for 3 hours instead of 2 hours on average) = wake_length project-1: 30 30 h',
      'days: -2 -2 h',
    ],
  });
});
