import fc from 'fast-check';
import type { CostingInput } from '../../src/cost/rating/costing.ts';
import type {
  Adjustment,
  ChargeTime,
  CountedThing,
  Dated,
  DatedAmounts,
  DatedPrice,
  FreeLine,
  PriceBook,
  PricePlan,
} from '../../src/resources/price-book.ts';
import type { EndpointLife } from '../../src/resources/usage/ledger.ts';
import { bill, instant, originAt, spanMs } from './random-bill.ts';

const decimal = (max: number, places: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** places }).map(units => (units / 10 ** places).toFixed(places));

const currency = fc.constantFrom('USD', 'EUR', 'JPY');

/** Present half of the time. */
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

type Present<Group> = { [Key in keyof Group]?: Exclude<Group[Key], undefined> };

/** A group without what is undefined in it. */
function present<Group extends object>(group: Group): Present<Group> {
  return Object.fromEntries(
    Object.entries(group).filter(([, value]) => value !== undefined),
  ) as Present<Group>;
}

const dated: fc.Arbitrary<Dated> = fc.oneof(
  fc.constant({}),
  instant.map(fromAt => ({ fromAt })),
  instant.map(untilAt => ({ untilAt })),
  fc
    .uniqueArray(instant, { minLength: 2, maxLength: 2 })
    .map(both => ({ fromAt: Math.min(...both), untilAt: Math.max(...both) })),
);

/** Values one after another, the first since ever or not. */
function datedList<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<(Value & { fromAt: number })[]> {
  return fc.uniqueArray(fc.oneof(instant, fc.constant(0)), { minLength: 1, maxLength: 4 }).chain(cuts => {
    const starts = cuts.toSorted((a, b) => a - b);
    return fc.tuple(
      ...starts.map((fromAt, index) => {
        const untilAt = starts[index + 1];
        return value.map(each => ({ fromAt, ...(untilAt !== undefined && { untilAt }), ...each }));
      }),
    );
  });
}

const amounts: fc.Arbitrary<DatedAmounts> = fc.oneof(
  decimal(40, 2),
  datedList(decimal(40, 2).map(amount => ({ amount }))),
);

const included: fc.Arbitrary<PricePlan['included']> = fc
  .constantFrom('account' as const, 'project' as const)
  .chain(per => {
    const one = fc.oneof(
      decimal(60, 3).map(computeHours => ({ computeHours, per })),
      decimal(20, 2).map(amount => ({ amount, per })),
    );
    return fc.oneof(one, datedList(one));
  });

const tiers = fc
  .uniqueArray(fc.integer({ min: 1, max: 400_000 }), { maxLength: 3 })
  .chain(ends =>
    fc.tuple(
      ...ends
        .toSorted((a, b) => a - b)
        .map(end =>
          decimal(2, 4).map(perComputeHour => ({ beyondHours: (end / 1000).toFixed(3), perComputeHour })),
        ),
    ),
  );

const prices: fc.Arbitrary<DatedPrice[]> = datedList(
  fc
    .record({ perComputeHour: decimal(2, 4), discountPercent: decimal(100, 1), tiers })
    .map(({ tiers: higher, ...price }) => ({ ...price, ...(higher.length > 0 && { tiers: higher }) })),
);

const counted: fc.Arbitrary<CountedThing[]> = fc.array(
  fc
    .record({
      of: fc.constantFrom('projects' as const, 'endpoints' as const, 'branches' as const),
      included: decimal(3, 1),
      price: decimal(5, 3),
      count: fc.constantFrom('time' as const, 'peak' as const),
      time: dated,
    })
    .map(({ time, ...thing }) => ({ name: `${thing.of} by ${thing.count}`, ...thing, ...time })),
  { maxLength: 2 },
);

const plan: fc.Arbitrary<PricePlan> = fc
  .record({
    accounts: maybe(fc.constantFrom<readonly string[]>(['a'], ['b'])),
    projects: maybe(fc.constantFrom<readonly string[]>(['p1', 'p3', 'p5'], ['p2'])),
    currency,
    prices,
    time: dated,
    more: fc.record({
      included: maybe(included),
      minimum: maybe(amounts),
      baseFee: maybe(amounts),
      partialPeriod: maybe(fc.constant('whole' as const)),
      counted: maybe(counted),
    }),
  })
  .map(({ accounts, projects, time, more, ...rest }) => {
    return { name: 'plan', match: present({ accounts, projects }), ...rest, ...time, ...present(more) };
  });

const chargeTime: fc.Arbitrary<ChargeTime> = fc.oneof(
  instant.map(onAt => ({ onAt })),
  instant.map(fromAt => ({ fromAt })),
  fc
    .tuple(instant, fc.integer({ min: 1, max: spanMs }))
    .map(([fromAt, ms]) => ({ fromAt, untilAt: fromAt + ms })),
);

const owner = maybe(fc.constantFrom('a', 'b')).map(account => present({ account }));

const line: fc.Arbitrary<FreeLine> = fc
  .record({
    owner,
    time: chargeTime,
    currency,
    what: fc.oneof(
      decimal(30, 2).map(amount => ({ amount })),
      fc.record({ quantity: decimal(50, 3), unit: fc.constant('GB-month'), price: decimal(2, 4) }),
    ),
  })
  .map(({ owner: of, what, ...rest }) => ({ name: 'storage', ...of, ...rest, ...what }));

const adjustment: fc.Arbitrary<Adjustment> = fc
  .record({
    owner,
    time: chargeTime,
    dates: dated,
    currency,
    amount: decimal(60, 2),
    percent: decimal(25, 1),
  })
  .chain(({ owner: of, time, dates, currency: own, amount, percent }) =>
    fc.constantFrom<Adjustment>(
      { name: 'credit', kind: 'credit', ...of, time, currency: own, amount },
      { name: 'refund', kind: 'adjustment', ...of, time, currency: own, amount: `-${amount}` },
      { name: 'fine', kind: 'adjustment', ...of, time, currency: own, amount },
      { name: 'VAT', kind: 'tax', ...of, ...dates, percent },
    ),
  );

const rounding: fc.Arbitrary<PriceBook['rounding']> = maybe(
  fc.record({
    decimals: fc.integer({ min: 0, max: 4 }),
    line: fc.constantFrom('account' as const, 'project' as const),
    currencies: fc.constantFrom({}, { JPY: 0 }, { JPY: 1, EUR: 3 }),
  }),
);

const life = fc
  .uniqueArray(instant, { minLength: 2, maxLength: 2 })
  .chain(both =>
    fc.constantFrom(
      { created_at: Math.min(...both), gone_at: Math.max(...both) },
      { created_at: Math.min(...both) },
      {},
    ),
  );

const endpoints: fc.Arbitrary<EndpointLife[]> = fc.array(
  fc
    .record({ project_ref: fc.integer({ min: 0, max: 5 }), branch: fc.constantFrom('main', 'dev', ''), life })
    .map(({ branch, life: own, ...rest }) => ({
      ...rest,
      ...own,
      ...(branch !== '' && { branch_id: branch }),
    })),
  { maxLength: 5 },
);

/** Use of a hundred days, and a price book with everything that one can have. */
export const wholeInput: fc.Arbitrary<CostingInput> = fc
  .record({
    bill,
    plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
    lines: fc.array(line, { maxLength: 3 }),
    adjustments: fc.array(adjustment, { maxLength: 4 }),
    rounding,
    endpoints,
    lives: fc.array(life, { minLength: 6, maxLength: 6 }),
    knownFromAt: fc.oneof(fc.constant(originAt), instant),
  })
  .map(({ bill: { book, ledger }, plans, lines, adjustments, rounding: round, lives, ...rest }) => ({
    book: {
      ...book,
      plans: plans.map((each, index) => ({ ...each, name: `plan-${index}` })),
      lines: lines.map((each, index) => ({ ...each, name: `${each.name}-${index}` })),
      adjustments: adjustments.map((each, index) => ({ ...each, name: `${each.name}-${index}` })),
      ...(round && { rounding: round }),
    },
    ledger: {
      ...ledger,
      projects: ledger.projects.map((project, index) => ({ ...project, ...lives[index] })),
      knownFrom: () => rest.knownFromAt,
      endpointLives: () => rest.endpoints,
    },
  }));
