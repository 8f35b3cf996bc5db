import type { Period } from '../../src/cost/calendar/calendar.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import type { CostingInput } from '../../src/cost/rating/costing.ts';
import type { Adjustment, ChargeTime, PricePlan } from '../../src/resources/price-book.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';
import { BillTime } from './bill-time.ts';
import { Fraction, sumOf } from './fraction.ts';

/** A line of a bill with its exact amounts: what it is, in its currency, and displayed. */
export type ExactLine = readonly [what: string, amount: string, displayed: string | undefined];

const zero = Fraction.zero;
const hundred = Fraction.of(100);
const hour = Fraction.of(3_600_000);

export function exactLine(line: CostLine): ExactLine {
  const { kind, plan, name, tier, project, charge, fromAt } = line;
  const money = (amount: { readonly numerator: object; readonly divisor?: bigint } | undefined) =>
    amount &&
    Fraction.of((amount.numerator as { toFixed(): string }).toFixed())
      .over(hour)
      .over(new Fraction(amount.divisor ?? 1n, 1n))
      .toString();
  const use = kind === 'usage' ? [fromAt, line.includedCuMs, line.billedCuMs, line.unpricedCuMs] : [];
  const what = [kind, plan, name, tier, project?.project_ref, charge?.currency, ...use];
  return [JSON.stringify(what), money(charge?.amount) ?? '', money(charge?.displayAmount)];
}

interface Draft {
  readonly kind: string;
  readonly plan?: string;
  readonly name?: string;
  readonly tier?: number;
  readonly project?: UsageProject;
  readonly currency?: string;
  readonly use?: readonly number[];
  readonly amount: Fraction;
  readonly rate?: Fraction | undefined;
  /** What is the same is one line of the invoice. */
  readonly invoice: string;
}

/** The bill of an account by the rules of the documents alone. */
export function wholeBill(input: CostingInput, account: string, period: Period, asOf: number): ExactLine[] {
  const { book, ledger } = input;
  const time = new BillTime(input, account, period);
  const isOver = period.untilAt <= asOf;
  const untilAt = Math.min(period.untilAt, asOf);
  const lines: Draft[] = [];
  const charged = (currency: string, which = (_: Draft) => true) =>
    sumOf(lines.filter(line => line.currency === currency && which(line)).map(({ amount }) => amount));
  const add = (facts: Omit<Draft, 'rate' | 'invoice'> & { readonly currency: string }) => {
    const rate = time.rateAt(facts.currency, period.untilAt - 1);
    const own =
      facts.kind === 'allowance' ? [facts.plan, facts.project && lineOf(facts.project)] : lines.length;
    if (facts.amount.top !== 0n) lines.push({ ...facts, rate, invoice: JSON.stringify([facts.kind, own]) });
  };
  const lineOf = ({ project_ref }: UsageProject) =>
    book.rounding?.line === 'project' ? project_ref : undefined;

  for (const project of time.projects) lines.push(...usageOf(time, project, untilAt, lineOf));
  const knownFromAt = ledger.knownFrom(account);
  if (knownFromAt === undefined || knownFromAt >= untilAt) return lines.map(toExact);
  for (const plan of time.plans.filter(each => time.isDue(each, asOf)))
    chargePlan(time, plan, { asOf, isOver, add, charged });
  const isOwn = (each: { readonly account?: string }) =>
    each.account === undefined || each.account === account;
  for (const line of (book.lines ?? []).filter(isOwn)) {
    const { name, currency } = line;
    const whole =
      line.quantity === undefined
        ? Fraction.of(line.amount)
        : Fraction.of(line.quantity).times(Fraction.of(line.price));
    add({ kind: 'line', name, currency, amount: whole.times(partOf(line.time, period)) });
  }
  const adjustments = (book.adjustments ?? []).filter(isOwn);
  for (const each of adjustments) {
    if (each.kind !== 'adjustment') continue;
    const amount = Fraction.of(each.amount).times(partOf(each.time, period));
    add({ kind: each.kind, name: each.name, currency: each.currency, amount });
  }
  for (const each of adjustments) {
    if (each.kind !== 'credit') continue;
    const most = charged(each.currency).most(zero);
    const amount = zero.minus(Fraction.of(each.amount).times(partOf(each.time, period)).least(most));
    add({ kind: each.kind, name: each.name, currency: each.currency, amount });
  }
  const currencies = () => [...new Set(lines.flatMap(({ currency }) => currency ?? []))];
  const decimalsOf = (currency: string) => {
    if (book.rounding === undefined || !isOver) return undefined;
    const { decimals: usual, currencies: others = {} } = book.rounding;
    return new Map(Object.entries(others)).get(currency) ?? usual;
  };
  const round = (some: readonly Draft[]) => {
    for (const currency of currencies()) {
      const decimals = decimalsOf(currency);
      if (decimals === undefined) continue;
      const own = some.filter(line => line.currency === currency);
      const sums = [...Map.groupBy(own, ({ invoice }) => invoice).values()].map(members =>
        sumOf(members.map(({ amount }) => amount)),
      );
      const amount = sumOf(sums.map(exact => exact.rounded(decimals).minus(exact)));
      add({ kind: 'rounding', currency, amount });
    }
  };
  round([...lines]);
  const untaxed = [...lines];
  for (const tax of adjustments) {
    if (tax.kind !== 'tax' || !holdsAt(tax, period.untilAt - 1)) continue;
    for (const currency of currencies()) {
      const base = sumOf(untaxed.filter(line => line.currency === currency).map(({ amount }) => amount));
      const exact = base.times(Fraction.of(tax.percent)).over(hundred);
      const decimals = decimalsOf(currency);
      const amount = decimals === undefined ? exact : exact.rounded(decimals);
      add({ kind: 'tax', name: tax.name, currency, amount });
    }
  }
  return lines.map(toExact);
}

function holdsAt(
  { fromAt = -Infinity, untilAt = Infinity }: Adjustment & { kind: 'tax' },
  at: number,
): boolean {
  return fromAt <= at && at < untilAt;
}

function toExact({ kind, plan, name, tier, project, currency, use = [], amount, rate }: Draft): ExactLine {
  const what = [kind, plan, name, tier, project?.project_ref, currency, ...use];
  const isMoney = currency !== undefined;
  return [
    JSON.stringify(what),
    isMoney ? `${amount}` : '',
    isMoney && rate ? `${amount.times(rate)}` : undefined,
  ];
}

function partOf(
  { onAt, fromAt = 0, untilAt = Number.MAX_SAFE_INTEGER }: ChargeTime,
  period: Period,
): Fraction {
  if (onAt !== undefined) return Fraction.of(onAt >= period.fromAt && onAt < period.untilAt ? 1 : 0);
  const shared = Math.min(untilAt, period.untilAt) - Math.max(fromAt, period.fromAt);
  return Fraction.of(Math.max(0, shared)).over(Fraction.of(period.untilAt - period.fromAt));
}

/** The usage lines of a project, cut where its plan, its price, its tier or its exchange rate changes. */
function usageOf(
  time: BillTime,
  project: UsageProject,
  untilAt: number,
  lineOf: (project: UsageProject) => number | undefined,
): Draft[] {
  return time
    .stepsOf(project, untilAt)
    .flatMap(({ plan, price, rate, fromAt, use, pricedBefore }): Draft[] => {
      if (use === 0) return [];
      const line = { kind: 'usage', project, ...(plan && { plan: plan.name }) };
      if (plan === undefined || price === undefined)
        return [{ ...line, amount: zero, invoice: '', use: [fromAt, 0, 0, use] }];
      const free = time.includedOf(plan, project);
      const included = Math.max(0, Math.min(use, free - pricedBefore));
      const [from, until] = [pricedBefore - free, pricedBefore + use - free].map(at => Math.max(0, at));
      const paid = hundred.minus(Fraction.of(price.discountPercent)).over(hundred);
      const prices = [price.perComputeHour, ...(price.tiers ?? []).map(each => each.perComputeHour)];
      const starts = [0, ...time.tierStartsOf(plan, price, project)];
      const bands = starts.map((start, tier) => {
        const end = Math.min(until ?? 0, starts[tier + 1] ?? Infinity);
        return { tier, billed: Math.max(0, end - Math.max(from ?? 0, start)) };
      });
      const used = bands.filter(({ tier, billed }) => billed > 0 || (tier === 0 && included > 0));
      return used.map(({ tier, billed }): Draft => {
        const unit = Fraction.of(prices[tier] ?? '0').times(paid);
        const number = prices.length > 1 ? { tier: tier + 1 } : {};
        return {
          ...line,
          ...number,
          currency: plan.currency,
          rate,
          use: [fromAt, tier === 0 ? included : 0, billed, 0],
          amount: Fraction.of(billed).times(unit).over(hour),
          invoice: JSON.stringify([plan.name, number, prices[tier], `${unit}`, lineOf(project)]),
        };
      });
    });
}

interface PlanCase {
  readonly asOf: number;
  readonly isOver: boolean;
  readonly add: (facts: Omit<Draft, 'rate' | 'invoice'> & { readonly currency: string }) => void;
  readonly charged: (currency: string, which: (line: Draft) => boolean) => Fraction;
}

function chargePlan(time: BillTime, plan: PricePlan, { asOf, isOver, add, charged }: PlanCase): void {
  const { name: of, currency } = plan;
  const usage = (line: Draft) => line.plan === of && line.kind === 'usage';
  const allowance = time.allowanceOf(plan);
  if (allowance.per === 'account')
    add({
      kind: 'allowance',
      plan: of,
      currency,
      amount: zero.minus(allowance.amount.least(charged(currency, usage))),
    });
  else
    for (const project of time.projects) {
      const own = charged(currency, line => usage(line) && line.project === project);
      add({
        kind: 'allowance',
        plan: of,
        currency,
        project,
        amount: zero.minus(allowance.amount.least(own)),
      });
    }
  const compute = (line: Draft) => line.plan === of && ['usage', 'allowance'].includes(line.kind);
  const missing = time.amountOf(plan, plan.minimum).minus(charged(currency, compute));
  if (isOver && plan.minimum !== undefined)
    add({ kind: 'minimum', plan: of, currency, amount: missing.most(zero) });
  add({ kind: 'base_fee', plan: of, currency, amount: time.amountOf(plan, plan.baseFee) });
  for (const thing of plan.counted ?? []) {
    const amount = time.quantityOf(plan, thing, asOf).most(zero).times(Fraction.of(thing.price));
    add({ kind: 'counted', plan: of, name: thing.name, currency, amount });
  }
}
