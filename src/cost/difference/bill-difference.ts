import type { EndpointPast } from '../../resources/endpoint-history.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { computeHourMs, type UsageProject } from '../../resources/usage/ledger.ts';
import { type Amount, isNothing, noAmount, subtractAmounts, sumAmounts } from '../money/money.ts';
import { writePrices } from '../money/money-text.ts';
import { splitAtPrice } from '../money/ratio.ts';
import { type CostLine, sumLines } from '../rating/cost-line.ts';
import { type Cause, priceParts, sortCauses } from './cause.ts';
import { compareCharges, type RateEffect } from './charge-change.ts';
import type { ComparedPeriods } from './compared-period.ts';
import { explainProject, findProjectArrival } from './project-change.ts';
import { compareThings } from './thing-change.ts';
import {
  gatherIncluded,
  type LineValues,
  splitPriceEffect,
  type ValuedPeriod,
  type ValuedUse,
  valueUse,
} from './valued-use.ts';

/** Two bills of the same accounts. */
interface ComparedBills {
  readonly periods: ComparedPeriods;
  /** Lines of use and charges. */
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
  readonly projects: readonly UsageProject[];
  readonly values: LineValues;
  /** What the endpoints of a project did; undefined where that is no longer kept. */
  readonly endpointsOf: (project: UsageProject) => readonly EndpointPast[] | undefined;
}

/** Money in the display currency. The causes add up to the difference, exactly. */
interface BillDifference {
  readonly before: Amount;
  readonly after: Amount;
  readonly difference: Amount;
  /** The largest first, without ones that make no difference. */
  readonly causes: readonly Cause[];
}

/** Explains the difference of two bills as a tree of causes. */
export function explainDifference(bills: ComparedBills): BillDifference {
  const { before, after, projects } = bills;
  const isUse = ({ kind }: CostLine) => kind === 'usage';
  const usage = { before: before.filter(isUse), after: after.filter(isUse) };
  const valueBefore = valueUse(usage.before, bills.values);
  const valueAfter = valueUse(usage.after, bills.values);
  const changes = projects.map(project =>
    compareProject(bills, project, valueBefore, valueAfter.of(project)),
  );
  const isThing = ({ kind, project }: CostLine) => kind === 'metered' && project !== undefined;
  const things = compareThings({
    ...bills,
    before: before.filter(isThing),
    after: after.filter(isThing),
  });
  const isCharge = (line: CostLine) => !isUse(line) && !isThing(line);
  const charges = [...compareCharges(before.filter(isCharge), after.filter(isCharge)), ...things];
  const causes = [
    ...changes.flatMap(({ causes }) => causes),
    ...gatherDays(changes),
    ...gatherPrices(changes, usage),
    ...gatherRates([...changes.flatMap(({ rates }) => rates), ...charges.map(({ rate }) => rate)], bills),
    ...compareIncluded(usage, bills.values),
    ...charges.map(({ cause }) => cause),
  ];
  const [amountBefore, amountAfter] = [sumLines(before).amount, sumLines(after).amount];
  return {
    before: amountBefore,
    after: amountAfter,
    difference: subtractAmounts(amountAfter, amountBefore),
    causes: sortCauses(causes.filter(makesDifference)),
  };
}

/** Effects of one project, before they are gathered. */
interface ProjectEffect {
  readonly causes: readonly Cause[];
  readonly days?: { readonly amount: Amount; readonly cuMs: number };
  readonly price?: {
    readonly name: string;
    readonly before: ValuedUse;
    readonly after: ValuedUse;
    readonly amount: Amount;
  };
  readonly rates: readonly RateEffect[];
}

function compareProject(
  { periods, endpointsOf }: ComparedBills,
  project: UsageProject,
  valueBefore: ValuedPeriod,
  after: ValuedUse,
): ProjectEffect {
  const before = valueBefore.of(project);
  const { account } = project;
  if (before.usedCuMs === 0 && after.usedCuMs === 0) return { causes: [], rates: [] };
  const { use, price, rate, meanPrice } = splitPriceEffect(
    before,
    after,
    before.usedCuMs > 0 ? before : (valueBefore.like(after) ?? after),
  );
  const currencies = after.currencies.union(before.currencies);
  const [currency = ''] = currencies;
  const about = { account, project, ...(currencies.size === 0 && { isUnpriced: true }) };
  // A fleet has many projects, so effects that came to nothing are not kept.
  const prices = {
    ...(!isNothing(price) && { price: { name: namePlans(before, after), before, after, amount: price } }),
    rates: isNothing(rate) ? [] : [{ currency, amount: rate }],
  };
  const used = { project, before: before.usedCuMs, after: after.usedCuMs };
  const wholeCuMs = used.after - used.before;
  const arrival = findProjectArrival(project, periods, used);
  if (arrival !== undefined) {
    const whole = { cuMs: wholeCuMs, ...about, amount: use };
    return { ...prices, causes: [describeArrival(arrival, whole)] };
  }
  const { daysCuMs, parts } = explainProject({ ...used, endpoints: () => endpointsOf(project) }, periods);
  const cuMs = wholeCuMs - daysCuMs;
  // Parts that come to nothing together may be there all the same.
  const cancelling = cuMs === 0 ? parts() : undefined;
  const amounts = splitAtPrice(use, meanPrice, cancelling?.length === 0 ? [daysCuMs] : [daysCuMs, cuMs]);
  const [daysAmount = noAmount, amount = noAmount] = amounts;
  let children: readonly Cause[] | undefined;
  const cause: Cause = {
    kind: 'project',
    ...about,
    cuMs,
    amount,
    get children() {
      children ??= sortCauses(priceParts(cancelling ?? parts(), amount, { project, meanPrice }));
      return children;
    },
  };
  return {
    ...prices,
    causes: [cause],
    days: { amount: daysAmount, cuMs: daysCuMs },
  };
}

/** A project of the other period as well has what became of it as its part. */
function describeArrival(
  arrival: NonNullable<ReturnType<typeof findProjectArrival>>,
  whole: Omit<Cause, 'kind' | 'children'>,
): Cause {
  const { kind } = arrival;
  if (kind === 'new' || kind === 'gone')
    return { ...arrival, kind: `${kind}_project`, ...whole, children: [] };
  return { kind: 'project', ...whole, children: [{ ...arrival, kind, ...whole, children: [] }] };
}

/** Such as `scale`, or `scale → pro` for projects whose plan changed. */
function namePlans(before: ValuedUse, after: ValuedUse): string {
  const [old, now] = [before, after].map(({ plans }) => [...plans].join(' and '));
  return old === now || old === '' ? (now ?? '') : now === '' ? (old ?? '') : `${old} → ${now}`;
}

function gatherDays(effects: readonly ProjectEffect[]): Cause[] {
  const days = effects.flatMap(({ days }) => days ?? []);
  const cuMs = days.reduce((sum, each) => sum + each.cuMs, 0);
  const amount = sumAmounts(days.map(each => each.amount));
  return [{ kind: 'days', cuMs, amount, children: [] }];
}

function gatherPrices(
  effects: readonly ProjectEffect[],
  usage: { readonly after: readonly CostLine[] },
): Cause[] {
  const prices = effects.flatMap(({ price }) => price ?? []);
  return [...Map.groupBy(prices, ({ name }) => name)].map(([name, members]) => {
    const old = new Set(members.flatMap(({ before }) => [...before.prices]));
    const now = new Set(members.flatMap(({ after }) => [...after.prices]));
    const plans = new Set(members.flatMap(({ after }) => [...after.plans]));
    const [currency = ''] = members.flatMap(({ before, after }) => [
      ...after.currencies,
      ...before.currencies,
    ]);
    const first = usage.after
      .filter(({ plan, charge }) => plans.has(plan ?? '') && !old.has(charge?.price?.discounted ?? ''))
      .reduce((least, { fromAt }) => Math.min(least, fromAt), Number.POSITIVE_INFINITY);
    return {
      kind: 'price',
      name,
      amount: sumAmounts(members.map(({ amount }) => amount)),
      ...(first < Number.POSITIVE_INFINITY && { sinceAt: first }),
      evidence: sayPrices(now, old, currency),
      children: [],
    };
  });
}

/** The prices of now and of before, such as `$0.18 a compute hour instead of $0.16`. A price of both is told as one of before. */
function sayPrices(now: ReadonlySet<DecimalText>, old: ReadonlySet<DecimalText>, currency: string): string {
  const later = now.difference(old);
  const [one, other] = [later.size > 0 ? later : now, old].map(prices => writePrices(prices, currency));
  if (one === '') return `no price instead of ${other} a compute hour`;
  return `${one} a compute hour instead of ${other || 'no price'}`;
}

function gatherRates(
  rates: readonly RateEffect[],
  { periods, values: { rateOf } }: Pick<ComparedBills, 'periods' | 'values'>,
): Cause[] {
  return [...Map.groupBy(rates, ({ currency }) => currency)].map(([currency, members]) => ({
    kind: 'exchange_rate',
    name: currency,
    amount: sumAmounts(members.map(({ amount }) => amount)),
    evidence: `its rate was ${rateOf(currency, periods.after.untilAt - 1) ?? 'not known'} at the end, and ${rateOf(currency, periods.before.fromAt) ?? 'not known'} at the beginning of the period before`,
    children: [],
  }));
}

function compareIncluded(
  usage: { readonly before: readonly CostLine[]; readonly after: readonly CostLine[] },
  values: LineValues,
): Cause[] {
  const [before, after] = [usage.before, usage.after].map(lines => gatherIncluded(lines, values));
  const all = new Map([...(before ?? []), ...(after ?? [])]);
  return [...all].map(([key, { account, plan }]) => {
    const [old, now] = [before?.get(key), after?.get(key)];
    return {
      kind: 'included_usage',
      account,
      name: plan,
      amount: subtractAmounts(now?.amount ?? noAmount, old?.amount ?? noAmount),
      ...((now?.cuMs ?? 0) !== (old?.cuMs ?? 0) && {
        evidence: `${hours(now?.cuMs)} included compute hours were used instead of ${hours(old?.cuMs)}`,
      }),
      children: [],
    };
  });
}

function hours(cuMs = 0): string {
  return (cuMs / computeHourMs).toFixed(1).replace(/\.0$/, '');
}

/** Whether it changes the bill, or hides changes in itself that cancel each other. */
function makesDifference(cause: Cause): boolean {
  return !isNothing(cause.amount) || (cause.cuMs ?? 0) !== 0 || cause.children.some(makesDifference);
}
