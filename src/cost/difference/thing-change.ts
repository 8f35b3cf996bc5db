import type { UsageProject } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  addAmounts,
  compareAmounts,
  isNothing,
  noAmount,
  showAmount,
  subtractAmounts,
} from '../money/money.ts';
import { timesAmountRatio, timesRatio } from '../money/ratio.ts';
import type { CostLine } from '../rating/cost-line.ts';
import { type Cause, sortCauses, sumCauses } from './cause.ts';
import type { ChargeChange } from './charge-change.ts';
import type { ComparedPeriods } from './compared-past.ts';
import { isLifeKnown } from './life-part.ts';
import { explainArrival } from './project-change.ts';
import { noThing, type ThingPeriod, type ValuedThing, valueThing } from './valued-thing.ts';
import type { LineValues } from './valued-use.ts';

export interface ComparedThings {
  readonly periods: ComparedPeriods;
  /** Lines of metered things. */
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
  readonly values: LineValues;
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
      evidence: `${[...now.prices].join(' and ')} ${currency} a ${unit} instead of ${[...old.prices].join(' and ')}`,
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
  const arrival = isLifeKnown(project)
    ? explainArrival({ project, before: 0, after: 0 }, periods)
    : undefined;
  const { before: first, after: second } = periods;
  const longer = timesRatio(before.gross, second.untilAt - second.fromAt, first.untilAt - first.fromAt);
  const days = arrival === undefined ? subtractAmounts(longer, before.gross) : noAmount;
  const { kind = 'project', sinceAt, endedAt } = arrival ?? {};
  return {
    cause: {
      kind,
      ...(sinceAt !== undefined && { sinceAt }),
      ...(endedAt !== undefined && { endedAt }),
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
