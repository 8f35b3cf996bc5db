import fc from 'fast-check';
import type { BillCase, CaseEndpoint, CaseProject } from './bill-case.ts';
import {
  dated,
  dates,
  day,
  dayMs,
  days,
  decimal,
  hourMs,
  maybe,
  originAt,
  percent,
  randomPrice,
  showDay,
} from './random-entry.ts';
import { denseAmounts, meteredAmounts, meteredThings, meterRules } from './random-meter.ts';

const accounts = ['main', 'side'];
const owner = fc.constantFrom(...accounts);
const instant = fc.oneof(
  day.map(at => originAt + at * dayMs),
  fc.integer({ min: 0, max: days * dayMs }).map(ms => originAt + ms),
);

const above = (max: number, places: number) =>
  fc.integer({ min: 1, max: max * 10 ** places }).map(units => (units / 10 ** places).toFixed(places));
const currency = fc.option(fc.constantFrom('USD', 'EUR', 'JPY'), { nil: undefined });

const amounts = fc.oneof(decimal(60, 2), dated(fc.record({ amount: decimal(60, 2) })));

const included = fc.constantFrom('account', 'project').chain(per => {
  const one = fc.oneof(
    decimal(150, 4).map(compute_hours => ({ compute_hours, per })),
    decimal(20, 2).map(amount => ({ amount, per })),
  );
  return fc.oneof(one, dated(one));
});

const price = randomPrice('per_compute_hour');

const counted = fc.uniqueArray(
  fc
    .record({
      of: fc.constantFrom('projects', 'endpoints', 'branches'),
      price: decimal(5, 3),
      included: maybe(decimal(3, 1)),
      count: maybe(fc.constantFrom('time', 'peak')),
      held: dates,
    })
    .map(({ held, ...thing }) => ({ name: `${thing.of} by ${thing.count}`, ...thing, ...held })),
  { maxLength: 2, selector: ({ name }) => name },
);

const match = fc.record({
  accounts: maybe(fc.constantFrom(['main'], ['side'])),
  projects: maybe(fc.constantFrom(['shop-*'], ['*-1', 'id-3'], ['id-*'])),
  regions: maybe(fc.constantFrom(['aws-*'], ['*'])),
  groups: maybe(fc.constantFrom(['team/platform'], ['team/data', 'team/platform'])),
});

const plan = fc
  .record({
    match: maybe(match).map(its =>
      Object.values(its ?? {}).some(list => list !== undefined) ? its : undefined,
    ),
    currency,
    prices: dated(price),
    held: dates,
    included: maybe(included),
    base_fee: maybe(amounts),
    minimum: maybe(amounts),
    partial_period: maybe(fc.constantFrom('prorated', 'whole')),
    counted: maybe(counted),
    metered: maybe(meteredThings),
  })
  .map(({ held, ...rest }) => ({ ...rest, ...held }));

const chargeTime = fc.oneof(
  day.map(on => ({ on: showDay(on) })),
  dates.map(held => ({ from: showDay(0), ...held })),
);

const line = fc
  .record({
    account: owner,
    currency,
    time: chargeTime,
    share: maybe(fc.constantFrom('cost', 'hours', 'evenly')),
    what: fc.oneof(
      decimal(30, 2).map(amount => ({ amount })),
      fc.record({ quantity: decimal(50, 3), unit: fc.constant('GB-month'), price: decimal(2, 4) }),
    ),
  })
  .map(({ time, what, ...rest }) => ({ ...rest, ...time, ...what }));

const adjustment = fc
  .record({
    account: owner,
    currency,
    time: chargeTime,
    held: dates,
    amount: above(60, 2),
    percent,
    everybody: fc.boolean(),
  })
  .chain(({ account, currency: own, time, held, amount, percent: part, everybody }) =>
    fc.constantFrom<object>(
      { kind: 'credit', account, currency: own, ...time, amount },
      { kind: 'adjustment', account, currency: own, ...time, amount: `-${amount}` },
      { kind: 'adjustment', account, currency: own, ...time, amount },
      { kind: 'tax', ...(everybody ? {} : { account }), ...held, percent: part },
    ),
  );

const billingPeriod = fc.oneof(
  fc.constantFrom<'month' | undefined>('month', undefined),
  fc.integer({ min: 1, max: 31 }).map(anchor_day => ({ anchor_day })),
  fc.record({ hours: fc.integer({ min: 24, max: 900 }), from: day.map(showDay) }),
);

/** Each currency that is not displayed has a rate, since ever or not. */
const exchange = fc
  .tuple(
    maybe(fc.constantFrom('USD', 'EUR')),
    fc.uniqueArray(
      fc.record({ currency: fc.constantFrom('USD', 'EUR', 'JPY'), from: day, rate: above(2, 5) }),
      {
        maxLength: 5,
        selector: rate => `${rate.currency} ${rate.from}`,
      },
    ),
    fc.constantFrom('2020-01-01', showDay(60)),
  )
  .map(([display, rates, first]) => {
    const others = ['USD', 'EUR', 'JPY'].filter(each => each !== (display ?? 'USD'));
    const written = rates
      .filter(rate => others.includes(rate.currency))
      .map(rate => ({ ...rate, from: showDay(rate.from) }));
    const missing = others.filter(each => !written.some(rate => rate.currency === each));
    return {
      display_currency: display,
      exchange_rates: [...written, ...missing.map(each => ({ currency: each, from: first, rate: '0.0123' }))],
    };
  });

const named = <Entry extends object>(what: string, entries: readonly Entry[]) =>
  entries.map((entry, index) => ({ name: `${what} ${index}`, ...entry }));

const pricing = fc
  .record({
    billing_period: billingPeriod,
    meter: maybe(meterRules),
    exchange,
    rounding: maybe(
      fc.record({
        decimals: fc.integer({ min: 0, max: 6 }),
        line: maybe(fc.constantFrom('account', 'project')),
        currencies: fc.constantFrom<object[]>([], [{ currency: 'JPY', decimals: 0 }]),
      }),
    ),
    plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
    lines: fc.array(line, { maxLength: 3 }),
    adjustments: fc.array(adjustment, { maxLength: 5 }),
  })
  .map(({ exchange: rates, meter, plans, lines, adjustments, ...rest }) => ({
    currency: 'USD',
    ...rest,
    ...rates,
    meter,
    plans: named('plan', meter?.unit === 'hour' ? plans : plans.map(dropAtOnce)),
    lines: named('line', lines),
    adjustments: named('adjustment', adjustments),
  }));

/** Branches at one time are only counted by the hour. */
function dropAtOnce<Plan extends { readonly metered: readonly object[] | undefined }>(its: Plan): Plan {
  const metered = its.metered?.map(thing => ({ ...thing, included_at_once: undefined }));
  return { ...its, ...(metered && { metered }) };
}

const groups = {
  team: { platform: { projects: ['shop-*'], accounts: ['main'] }, data: { regions: ['aws-eu-*'] } },
  stage: { prod: { projects: ['*-1'] } },
};

const life = fc
  .uniqueArray(instant, { minLength: 2, maxLength: 2 })
  .map(both => both.toSorted((a, b) => a - b))
  .chain(([created_at = 0, deleted_at = 0]) =>
    fc.constantFrom({ created_at: originAt - dayMs }, { created_at }, { created_at, deleted_at }),
  );

const projects = fc
  .array(
    fc.record({
      account: owner,
      region: maybe(fc.constantFrom('aws-eu-1', 'aws-us-1', 'azure-eu')),
      named: maybe(fc.constantFrom('shop', 'jobs', 'SHOP')),
      life,
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map(list =>
    list.map(({ named: name, life: its, region, account }, index): CaseProject => {
      const known = {
        ...(name !== undefined && { name: `${name}-${index}` }),
        ...(region !== undefined && { region }),
      };
      return { id: `id-${index}`, account, ...known, ...its };
    }),
  );

const endpoints = fc
  .array(fc.record({ at: fc.nat(5), branch: fc.constantFrom('br-main', 'br-dev'), life }), { maxLength: 6 })
  .map(list =>
    list.map(({ at, branch, life: its }): CaseEndpoint => ({ project: `id-${at}`, branch, ...its })),
  );

/** Bursts of hours that several projects share, so that what is free is shared out within an hour. */
const use = fc
  .array(
    fc.record({
      hour: fc.nat(days * 24 - 1),
      length: fc.integer({ min: 1, max: 6 }),
      parts: fc.array(
        fc.record({
          at: fc.nat(5),
          ms: fc.nat(hourMs - 1),
          cu_ms: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 16 * hourMs })),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { maxLength: 40 },
  )
  .map(bursts =>
    bursts.flatMap(({ hour, length, parts }) =>
      Array.from({ length }, (_, index) =>
        parts.map(({ at, ms, cu_ms }) => ({
          project: `id-${at}`,
          at: originAt + (hour + index) * hourMs + ms,
          cu_ms,
        })),
      ).flat(),
    ),
  );

/** The meter tells whole hours. */
function hourOf(at: number): number {
  return Math.floor(at / hourMs) * hourMs;
}

/** A price book with everything that one can have, some projects and their use, and a bill of theirs. */
export const randomCase: fc.Arbitrary<BillCase> = fc
  .record({
    pricing,
    projects,
    endpoints,
    use,
    metered: meteredAmounts,
    account: owner,
    at: instant,
    goesOn: fc.boolean(),
    recorded_from: fc.oneof(fc.constant(originAt), instant),
    as_of: fc.oneof(
      fc.constant(originAt + 2 * days * dayMs),
      instant,
      fc.nat(3000).map(hours => originAt + hours * hourMs),
    ),
  })
  .map(({ projects: there, endpoints: all, use: used, metered, account, at, goesOn, ...rest }): BillCase => {
    const known = new Set(there.map(({ id }) => id));
    return {
      ...rest,
      // Half of the bills are of the period that goes on.
      at: goesOn ? Math.min(rest.as_of, originAt + days * dayMs) : at,
      groups,
      accounts,
      account: there.some(project => project.account === account) ? account : (there[0]?.account ?? account),
      projects: there,
      endpoints: all.filter(({ project }) => known.has(project)),
      use: used.filter(({ project, at }) => known.has(project) && at < rest.as_of),
      metered: metered.filter(({ project, at }) => known.has(project) && at < hourOf(rest.as_of)),
    };
  });

interface RandomPricing {
  readonly meter?: { readonly unit?: string };
  readonly plans: readonly object[];
}

/** Bills of accounts with much that is metered: their first plan holds for all projects. */
export const meteredCase: fc.Arbitrary<BillCase> = fc
  .record({ asked: randomCase, things: meteredThings, amounts: denseAmounts })
  .map(({ asked, things, amounts }): BillCase => {
    const {
      plans: [first, ...plans],
      ...pricing
    } = asked.pricing as RandomPricing;
    const whole = { ...first, match: undefined, from: undefined, to: undefined, metered: things };
    const projects = asked.projects.map(each => ({ ...each, account: asked.account }));
    const known = new Set(projects.map(({ id }) => id));
    return {
      ...asked,
      pricing: {
        ...pricing,
        plans: [pricing.meter?.unit === 'hour' ? whole : dropAtOnce(whole), ...plans],
      },
      projects,
      as_of: originAt + 2 * days * dayMs,
      metered: amounts.filter(({ project }) => known.has(project)),
    };
  });
