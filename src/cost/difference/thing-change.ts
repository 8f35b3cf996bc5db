import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  isNothing,
  noAmount,
  showAmount,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import { writePrices } from '../money/money-text.ts';
import { timesAmountRatio, timesRatio } from '../money/ratio.ts';
import type { CostLine } from '../rating/cost-line.ts';
import { type Cause, sortCauses, sumCauses } from './cause.ts';
import type { ChargeChange } from './charge-change.ts';
import type { ComparedPeriods } from './compared-period.ts';
import { findArrival } from './project-change.ts';
import type { LineValues } from './valued-use.ts';

interface ComparedThings {
  readonly periods: ComparedPeriods;
  /** Lines of metered things. */
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
  readonly values: LineValues;
}

/** A metered thing in a period, of a project or of several. */
interface ValuedThing {
  /** With what is included. */
  readonly quantity: Amount;
  /** At the price of the first tier, as if nothing were included: in the currency of the plan, and converted. */
  readonly own: Amount;
  readonly gross: Amount;
  /** Amount that its allowance and higher tiers take off, negative. */
  readonly included: Amount;
  readonly prices: ReadonlySet<DecimalText>;
}

const noThing: ValuedThing = {
  ...{ quantity: noAmount, own: noAmount, gross: noAmount, included: noAmount },
  prices: new Set(),
};

/** A metered thing of a period by its projects. */
interface ThingPeriod {
  readonly whole: ValuedThing;
  readonly byProject: ReadonlyMap<number, ValuedThing>;
  readonly projects: ReadonlyMap<number, UsageProject>;
}

/** Compares the metered things of two bills: each by project, price, length of the period, and what is free of it. */
export function compareThings({ periods, before, after, values }: ComparedThings): ChargeChange {
  const [old, now] = [before, after].map(lines => Map.groupBy(lines, keyOf));
  const examples = new Map([...before, ...after].map(line => [keyOf(line), line]));
  const changes = [...examples].map(([key, line]) => {
    const [thingBefore, thingAfter] = [old?.get(key) ?? [], now?.get(key) ?? []].map(lines =>
      valueThing(lines, values),
    ) as [ThingPeriod, ThingPeriod];
    return compareThing(line, thingBefore, thingAfter, periods);
  });
  return { causes: changes.map(({ cause }) => cause), rates: changes.map(({ rate }) => rate) };
}

/** Effects of one project on one thing; all but the exchange rate are of the thing. */
interface ThingEffect {
  readonly cause: Cause;
  readonly days: Amount;
  readonly price: Amount;
  readonly rate: Amount;
}

function compareThing(
  { account, name = '', plan, charge, quantity }: CostLine,
  before: ThingPeriod,
  after: ThingPeriod,
  periods: ComparedPeriods,
) {
  const projects = new Map([...before.projects, ...after.projects]);
  const unit = quantity?.unit ?? '';
  const effects = [...projects.values()].map(project => {
    const of = ({ byProject }: ThingPeriod) => byProject.get(project.project_ref) ?? noThing;
    return compareProject(project, of(before), of(after), { mean: before.whole, periods, unit });
  });
  const sum = (of: (effect: ThingEffect) => Amount) => effects.map(of).reduce(addAmounts, noAmount);
  const [old, now] = [before.whole, after.whole];
  const currency = charge?.currency ?? '';
  const children: readonly Cause[] = [
    ...effects.map(({ cause }) => cause),
    { kind: 'days', amount: sum(({ days }) => days), children: [] },
    {
      kind: 'price',
      amount: sum(({ price }) => price),
      evidence: `${writePrices(now.prices, currency)} a ${unit} instead of ${writePrices(old.prices, currency)}`,
      children: [],
    },
    { kind: 'included_usage', amount: subtractAmounts(now.included, old.included), children: [] },
  ];
  const made = sortCauses(children.filter(({ amount }) => !isNothing(amount)));
  const cause: Cause = {
    kind: 'charge',
    account,
    name: plan === undefined ? name : `${name} (${plan})`,
    amount: sumCauses(made),
    ...sayQuantities(old, now, unit),
    children: made,
  };
  return { cause, rate: { currency, amount: sum(({ rate }) => rate) } };
}

/** @param mean the thing as a whole before: its price counts for projects that had nothing of it. */
function compareProject(
  project: UsageProject,
  before: ValuedThing,
  after: ValuedThing,
  {
    mean,
    periods,
    unit,
  }: { readonly mean: ValuedThing; readonly periods: ComparedPeriods; readonly unit: string },
): ThingEffect {
  const old = isNothing(before.quantity) ? mean : before;
  const rate = subtractAmounts(after.gross, atOldRate(old, after));
  const atRate = subtractAmounts(after.gross, rate);
  const atPrice = isSamePrice(old, after)
    ? atRate
    : timesAmountRatio(old.gross, after.quantity, old.quantity);
  const use = subtractAmounts(atPrice, before.gross);
  const arrival = findArrival(project, periods);
  const { before: first, after: second } = periods;
  const longer = timesRatio(before.gross, second.untilAt - second.fromAt, first.untilAt - first.fromAt);
  const days = arrival === undefined ? subtractAmounts(longer, before.gross) : noAmount;
  return {
    cause: {
      kind: 'project',
      ...arrival,
      account: project.account,
      project,
      amount: subtractAmounts(use, days),
      ...sayQuantities(before, after, unit),
      children: [],
    },
    days,
    price: subtractAmounts(atRate, atPrice),
    rate,
  };
}

/** The one after, at the exchange rate of before. */
function atOldRate(old: ValuedThing, after: ValuedThing): Amount {
  const hasOwnRate = [old, after].some(({ own, gross }) => compareAmounts(own, gross) !== 0);
  return hasOwnRate && !isNothing(old.own) ? timesAmountRatio(after.own, old.gross, old.own) : after.gross;
}

/** Whether nothing is to be said of the price: it is the same, or there was none. */
function isSamePrice(old: ValuedThing, after: ValuedThing): boolean {
  if (isNothing(old.quantity)) return true;
  const prices = old.prices.union(after.prices);
  return prices.size <= 1;
}

function sayQuantities(before: ValuedThing, after: ValuedThing, unit: string): Pick<Cause, 'evidence'> {
  const [old, now] = [before, after].map(({ quantity }) => `${Number(showAmount(quantity, 2))} ${unit}`);
  return old === now ? {} : { evidence: `${now} instead of ${old}` };
}

function keyOf({ account, plan, name, charge, quantity }: CostLine): string {
  return JSON.stringify([account, plan, name, charge?.currency, quantity?.unit]);
}

/** @param lines all of one thing. */
function valueThing(lines: readonly CostLine[], values: LineValues): ThingPeriod {
  const byProject = new Map<number, ValuedThing>();
  const projects = new Map<number, UsageProject>();
  for (const line of lines) {
    const { project } = line;
    if (project === undefined) continue;
    const { project_ref } = project;
    projects.set(project_ref, project);
    byProject.set(project_ref, addThings(byProject.get(project_ref) ?? noThing, valueLine(line, values)));
  }
  return { whole: [...byProject.values()].reduce(addThings, noThing), byProject, projects };
}

/** A thing that is billed at the first price is exact, and has no share in what is taken off. */
function valueLine(line: CostLine, { rateOf, firstPriceOf }: LineValues): ValuedThing {
  const { charge, quantity, tier = 1, fromAt } = line;
  const [value, free] = [quantity?.value ?? '0', quantity?.included ?? '0'];
  const used = addAmounts(amountOf(value), amountOf(free));
  const { currency = '', price, amount = noAmount, displayAmount = noAmount } = charge ?? {};
  const first = tier > 1 ? firstPriceOf(line) : price?.discounted;
  if (first === undefined) return { ...noThing, quantity: used, own: amount, gross: displayAmount };
  const atFirst = tier > 1 ? timesRate(amountOf(value), first) : amount;
  const own = free === '0' ? atFirst : addAmounts(atFirst, timesRate(amountOf(free), first));
  const rate = rateOf(currency, fromAt);
  const gross = rate === undefined ? noAmount : timesRate(own, rate);
  const included = subtractAmounts(displayAmount, gross);
  return { quantity: used, own, gross, included, prices: new Set([first]) };
}

function addThings(a: ValuedThing, b: ValuedThing): ValuedThing {
  return {
    quantity: addAmounts(a.quantity, b.quantity),
    own: addAmounts(a.own, b.own),
    gross: addAmounts(a.gross, b.gross),
    included: addAmounts(a.included, b.included),
    prices: a.prices.union(b.prices),
  };
}
