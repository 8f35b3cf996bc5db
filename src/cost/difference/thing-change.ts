import type { UsageProject } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  isNothing,
  noAmount,
  subtractAmounts,
  sumAmounts,
  timesRate,
} from '../money/money.ts';
import { writePrices } from '../money/money-text.ts';
import { timesAmountRatio, timesRatio } from '../money/ratio.ts';
import type { CostLine } from '../rating/cost-line.ts';
import { type Cause, sortCauses, sumCauses } from './cause.ts';
import { type ChargeChange, nameCharge, pairLines, sayQuantity } from './charge-change.ts';
import type { ComparedPeriods } from './compared-period.ts';
import { findProjectArrival } from './project-change.ts';
import { addValues, firstPriceIn, type LineValues, noValue, type Valued, valueAt } from './valued-use.ts';

interface ComparedThings {
  readonly periods: ComparedPeriods;
  /** Lines of metered things. */
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
  readonly values: LineValues;
}

/** A metered thing in a period, of a project or of several. */
interface ValuedThing extends Valued {
  /** With what is included. */
  readonly quantity: Amount;
}

const noThing: ValuedThing = { ...noValue, quantity: noAmount };

/** Compares the metered things of two bills: each by project, price, length of the period, and what is free of it. */
export function compareThings({ before, after, ...rest }: ComparedThings): ChargeChange[] {
  return pairLines(before, after, keyOf).map(({ line, ...lines }) =>
    compareThing(line, { ...rest, ...lines }),
  );
}

/** Effects of one project on one thing; all but the exchange rate are of the thing. */
interface ThingEffect {
  readonly cause: Cause;
  readonly days: Amount;
  readonly price: Amount;
  readonly rate: Amount;
}

function compareThing(line: CostLine, { periods, before, after, values }: ComparedThings): ChargeChange {
  const unit = line.quantity?.unit ?? '';
  const [old, now] = [sumThings(before, values), sumThings(after, values)];
  const effects = pairLines(before, after, ({ project }) => project?.project_ref).flatMap(pair => {
    const { project } = pair.line;
    if (project === undefined) return [];
    const [own, ownNow] = [sumThings(pair.before, values), sumThings(pair.after, values)];
    return [compareProject(project, own, ownNow, { mean: old, periods, unit })];
  });
  const sum = (of: (effect: ThingEffect) => Amount) => sumAmounts(effects.map(of));
  const currency = line.charge?.currency ?? '';
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
    account: line.account,
    name: nameCharge(line),
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
  const atRate = atOldRate(old, after);
  const atPrice = isSamePrice(old, after)
    ? atRate
    : timesAmountRatio(old.gross, after.quantity, old.quantity);
  const use = subtractAmounts(atPrice, before.gross);
  const [had, has] = [before, after].map(({ quantity }) => (isNothing(quantity) ? 0 : 1));
  const arrival = findProjectArrival(project, periods, { before: had ?? 0, after: has ?? 0 });
  const isWhole = arrival?.kind === 'new' || arrival?.kind === 'gone';
  const { before: first, after: second } = periods;
  const longer = timesRatio(before.gross, second.untilAt - second.fromAt, first.untilAt - first.fromAt);
  const days = arrival === undefined ? subtractAmounts(longer, before.gross) : noAmount;
  return {
    cause: {
      ...arrival,
      kind: isWhole ? `${arrival.kind}_project` : 'project',
      account: project.account,
      project,
      amount: subtractAmounts(use, days),
      ...sayQuantities(before, after, unit),
      children: [],
    },
    days,
    price: subtractAmounts(atRate, atPrice),
    rate: subtractAmounts(after.gross, atRate),
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
  const [old, now] = [before, after].map(({ quantity }) => sayQuantity(quantity, unit));
  return old === now ? {} : { evidence: `${now} instead of ${old}` };
}

function keyOf({ account, plan, name, charge, quantity }: CostLine): string {
  return JSON.stringify([account, plan, name, charge?.currency, quantity?.unit]);
}

function sumThings(lines: readonly CostLine[], values: LineValues): ValuedThing {
  return lines.reduce((sum, line) => {
    const thing = valueLine(line, values);
    return { ...addValues(sum, thing), quantity: addAmounts(sum.quantity, thing.quantity) };
  }, noThing);
}

/** A thing that is billed at the first price is exact, and has no share in what is taken off. */
function valueLine(line: CostLine, values: LineValues): ValuedThing {
  const { charge, quantity: counted, tier = 1 } = line;
  const [value, free] = [counted?.value ?? '0', counted?.included ?? '0'];
  const quantity = addAmounts(amountOf(value), amountOf(free));
  const { amount = noAmount, displayAmount = noAmount } = charge ?? {};
  const first = firstPriceIn(line, values);
  if (first === undefined) return { ...noValue, quantity, own: amount, gross: displayAmount };
  const atFirst = tier > 1 ? timesRate(amountOf(value), first) : amount;
  const own = free === '0' ? atFirst : addAmounts(atFirst, timesRate(amountOf(free), first));
  return { ...valueAt(own, line, values), quantity, prices: new Set([first]) };
}
