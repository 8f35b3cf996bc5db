import type { DecimalText, PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  addAmounts,
  amountOfUse,
  isNothing,
  noAmount,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import { type MeanPrice, timesAmountRatio, timesRatio } from '../money/ratio.ts';
import { holdsAt } from '../price/dated.ts';
import { tariffOf, unitOf } from '../price/metered-tariff.ts';
import { rateAt, tiersAt } from '../price/price-lookup.ts';
import type { CostLine, RatedUse } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';

/** What lines do not say of themselves. */
export interface LineValues {
  /** The exchange rate of a currency at an instant; undefined while there is none. */
  readonly rateOf: (currency: string, at: number) => DecimalText | undefined;
  /** The price of the first tier, where a line has a tier. */
  readonly firstPriceOf: (line: CostLine) => DecimalText | undefined;
}

/** Looks up in a price book what lines rated by it do not say. */
export function lineValues(book: PriceBook, costing: Costing): LineValues {
  return {
    rateOf: (currency, at) => rateAt(book, { currency }, at).rate,
    firstPriceOf: line => {
      const { kind, project, fromAt, untilAt } = line;
      if (kind === 'metered') return firstThingPrice(book, line);
      if (project === undefined) return undefined;
      const [segment] = costing.segmentsOf(project, { fromAt, untilAt });
      return segment?.tiers[0]?.price.discounted;
    },
  };
}

/** The price of a metered thing in its first tier. */
function firstThingPrice(
  { plans, meter }: PriceBook,
  { plan: planName, name, fromAt }: CostLine,
): DecimalText | undefined {
  const plan = plans.find(each => each.name === planName);
  const thing = plan?.metered?.find(each => each.name === name && holdsAt(each, fromAt));
  if (plan === undefined || thing === undefined) return undefined;
  const [first] = tiersAt(tariffOf(plan, thing, unitOf(thing.metric, meter)), fromAt);
  return first?.price.discounted;
}

/** Use of compute or of a metered thing in a period, with its price. */
export interface Valued {
  /** At the price of the first tier, as if nothing were included: in the currencies of the plans, and converted. */
  readonly own: Amount;
  readonly gross: Amount;
  /** Reduction by included usage and higher tiers, negative. */
  readonly included: Amount;
  /** Prices of one unit, in order of time. */
  readonly prices: ReadonlySet<DecimalText>;
}

export const noValue: Valued = { own: noAmount, gross: noAmount, included: noAmount, prices: new Set() };

export function addValues(a: Valued, b: Valued): Valued {
  return {
    own: addAmounts(a.own, b.own),
    gross: addAmounts(a.gross, b.gross),
    included: addAmounts(a.included, b.included),
    prices: a.prices.union(b.prices),
  };
}

/** The price of the first tier of what a line is for; undefined where it is not known. */
export function firstPriceIn(line: CostLine, { firstPriceOf }: LineValues): DecimalText | undefined {
  return (line.tier ?? 1) > 1 ? firstPriceOf(line) : line.charge?.price?.discounted;
}

/** The value of a line by what it comes to at the price of the first tier, in its own currency. */
export function valueAt(
  own: Amount,
  { charge, fromAt }: CostLine,
  { rateOf }: LineValues,
): Omit<Valued, 'prices'> {
  const { currency = '', displayAmount = noAmount } = charge ?? {};
  const rate = rateOf(currency, fromAt);
  const gross = rate === undefined ? noAmount : timesRate(own, rate);
  return { own, gross, included: subtractAmounts(displayAmount, gross) };
}

/** The use of a project under one plan in a period, with its price. */
export interface ValuedUse extends Valued, Pick<RatedUse, 'usedCuMs' | 'includedCuMs'> {
  readonly plans: ReadonlySet<string>;
  readonly currencies: ReadonlySet<string>;
}

/** The use of a plan's included hours in a period, and of its higher tiers. */
interface IncludedUse {
  readonly account: string;
  readonly plan: string;
  readonly cuMs: number;
  /** What it takes off the bill, negative. */
  readonly amount: Amount;
}

const nothingUsed: ValuedUse = {
  ...{ ...noValue, usedCuMs: 0, includedCuMs: 0 },
  ...{ plans: new Set(), currencies: new Set() },
};

/** The value of all use of a period. */
export interface ValuedPeriod {
  readonly of: (project: UsageProject) => ValuedUse;
  /** All use under the same plan as some other use was; undefined where there is none that cost anything. */
  readonly like: (other: ValuedUse) => ValuedUse | undefined;
}

/** Values the use of each project, when it is asked for. @param lines of use alone. */
export function valueUse(lines: readonly CostLine[], values: LineValues): ValuedPeriod {
  const byProject = Map.groupBy(lines, ({ project }) => project?.project_ref);
  const sumUse = (some: readonly CostLine[]) =>
    some.reduce((sum, line) => addUse(sum, valueLine(line, values)), nothingUsed);
  let byPlan: ReadonlyMap<string | undefined, ValuedUse> | undefined;
  return {
    of: ({ project_ref }) => sumUse(byProject.get(project_ref) ?? []),
    like: ({ plans }) => {
      byPlan ??= new Map(
        [...Map.groupBy(lines, ({ plan }) => plan)].map(([plan, own]) => [plan, sumUse(own)]),
      );
      const found = plans.size === 1 ? byPlan.get([...plans][0]) : undefined;
      return found === undefined || isNothing(found.gross) ? undefined : found;
    },
  };
}

/** The included hours that were used, by account and plan. */
export function gatherIncluded(
  lines: readonly CostLine[],
  values: LineValues,
): ReadonlyMap<string, IncludedUse> {
  const gathered = new Map<string, IncludedUse>();
  for (const line of lines) {
    const { includedCuMs, included } = valueLine(line, values);
    const { account, plan } = line;
    if (plan === undefined || (includedCuMs === 0 && isNothing(included))) continue;
    const key = JSON.stringify([account, plan]);
    const { cuMs = 0, amount = noAmount } = gathered.get(key) ?? {};
    gathered.set(key, { account, plan, cuMs: cuMs + includedCuMs, amount: addAmounts(amount, included) });
  }
  return gathered;
}

function valueLine(line: CostLine, values: LineValues): ValuedUse {
  const { charge, plan, usedCuMs, includedCuMs, unpricedCuMs } = line;
  if (charge === undefined) return { ...nothingUsed, usedCuMs, includedCuMs };
  const first = firstPriceIn(line, values);
  const own = first === undefined ? charge.amount : amountOfUse(usedCuMs - unpricedCuMs, first);
  return {
    ...{ ...valueAt(own, line, values), usedCuMs, includedCuMs },
    plans: new Set(plan === undefined ? [] : [plan]),
    currencies: new Set([charge.currency]),
    prices: new Set(first === undefined ? [] : [first]),
  };
}

function addUse(a: ValuedUse, b: ValuedUse): ValuedUse {
  return {
    ...addValues(a, b),
    usedCuMs: a.usedCuMs + b.usedCuMs,
    includedCuMs: a.includedCuMs + b.includedCuMs,
    plans: a.plans.union(b.plans),
    currencies: a.currencies.union(b.currencies),
  };
}

/** The parts of the difference of what a project's use comes to before included hours; they add up to it exactly. */
interface PriceEffect {
  /** More use, at the price and the exchange rate of before. */
  readonly use: Amount;
  /** Other prices, of the use of after at the exchange rate of before. */
  readonly price: Amount;
  /** Other exchange rates, of the use and at the prices of after. */
  readonly rate: Amount;
  /** What the use of before came to. */
  readonly meanPrice: MeanPrice;
}

/**
 * Puts one after the other in the place of what it was before: use, then price, then exchange rate.
 *
 * @param old use that has the old price: the project's own of before, or other use where it had none.
 */
export function splitPriceEffect(before: ValuedUse, after: ValuedUse, old: ValuedUse): PriceEffect {
  const atOldPrice = old.usedCuMs > 0 ? timesRatio(old.gross, after.usedCuMs, old.usedCuMs) : after.gross;
  const atOldRate = hasRates(old, after) ? timesAmountRatio(after.own, old.gross, old.own) : after.gross;
  return {
    use: subtractAmounts(atOldPrice, before.gross),
    price: subtractAmounts(atOldRate, atOldPrice),
    rate: subtractAmounts(after.gross, atOldRate),
    meanPrice: { amount: old.gross, whole: old.usedCuMs },
  };
}

/** Amounts in several currencies have no common exchange rate: then all is a matter of price. */
function hasRates(before: ValuedUse, after: ValuedUse): boolean {
  return before.currencies.union(after.currencies).size === 1 && !isNothing(before.own);
}
