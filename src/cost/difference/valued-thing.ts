import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { type Amount, addAmounts, amountOf, noAmount, subtractAmounts, timesRate } from '../money/money.ts';
import type { CostLine } from '../rating/cost-line.ts';
import type { LineValues } from './valued-use.ts';

/** A metered thing in a period, of a project or of several. */
export interface ValuedThing {
  /** With what is included. */
  readonly quantity: Amount;
  /** At the price of the first tier, as if nothing were included: in the currency of the plan, and converted. */
  readonly own: Amount;
  readonly gross: Amount;
  /** Amount that its allowance and higher tiers take off, negative. */
  readonly included: Amount;
  readonly prices: ReadonlySet<DecimalText>;
}

export const noThing: ValuedThing = {
  ...{ quantity: noAmount, own: noAmount, gross: noAmount, included: noAmount },
  prices: new Set(),
};

/** A metered thing of a period by its projects. */
export interface ThingPeriod {
  readonly whole: ValuedThing;
  readonly byProject: ReadonlyMap<number, ValuedThing>;
  readonly projects: ReadonlyMap<number, UsageProject>;
}

/** @param lines those of one thing. */
export function valueThing(lines: readonly CostLine[], values: LineValues): ThingPeriod {
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
