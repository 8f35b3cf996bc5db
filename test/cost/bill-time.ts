import type { Period } from '../../src/cost/calendar/calendar.ts';
import type { CostingInput } from '../../src/cost/rating/costing.ts';
import type {
  CountedThing,
  Dated,
  DatedAmounts,
  DatedPrice,
  PricePlan,
} from '../../src/resources/price-book.ts';
import { matchesProject } from '../../src/resources/project-match.ts';
import type { UsageProject } from '../../src/resources/usage/ledger.ts';
import { Fraction, sumOf } from './fraction.ts';
import { shareInOrder } from './share-in-order.ts';

/** A stretch of a project in which nothing changes. */
interface Step {
  readonly plan: PricePlan | undefined;
  readonly price: DatedPrice | undefined;
  readonly rate: Fraction | undefined;
  readonly fromAt: number;
  readonly use: number;
  /** Used at a price of the plan since the period began. */
  readonly pricedBefore: number;
}

const holds = ({ fromAt = -Infinity, untilAt = Infinity }: Dated, at: number) => fromAt <= at && at < untilAt;
const hours = (text: string) => Number(Fraction.of(text).times(Fraction.of(3_600_000)).floor());

/** A billing period of an account, cut at every instant at which something of the price book changes. */
export class BillTime {
  readonly projects: readonly UsageProject[];
  readonly plans: readonly PricePlan[];
  readonly #input: CostingInput;
  readonly #account: string;
  readonly #period: Period;
  readonly #cuts: readonly number[];
  readonly #parts: readonly Period[];
  readonly #pricedParts = new Map<string, readonly Period[]>();
  readonly #included = new Map<PricePlan, readonly number[]>();
  readonly #tiers = new Map<string, readonly (readonly number[])[]>();

  constructor(input: CostingInput, account: string, period: Period) {
    const { book, ledger } = input;
    this.#input = input;
    this.#account = account;
    this.#period = period;
    this.projects = ledger.projects.filter(project => project.account === account);
    const dated = book.plans.flatMap(plan => [
      plan,
      ...plan.prices,
      ...listOf(plan.baseFee),
      ...listOf(plan.minimum),
      ...this.#includedOf(plan),
      ...(plan.counted ?? []),
    ]);
    const changes = [...dated, ...book.exchangeRates].flatMap(({ fromAt, untilAt }: Dated) => [
      fromAt,
      untilAt,
    ]);
    const inside = changes.filter(at => at !== undefined && at > period.fromAt && at < period.untilAt);
    this.#cuts = [...new Set([period.fromAt, ...(inside as number[]), period.untilAt])].sort((a, b) => a - b);
    this.#parts = this.#cuts
      .slice(1)
      .map((untilAt, index) => ({ fromAt: this.#cuts[index] ?? untilAt, untilAt }));
    const had = this.projects.flatMap(project =>
      this.#parts.flatMap(({ fromAt }) => this.#planAt(project, fromAt) ?? []),
    );
    this.plans = book.plans.filter(plan => had.includes(plan));
  }

  #planAt(project: UsageProject, at: number): PricePlan | undefined {
    return this.#input.book.plans.find(plan => holds(plan, at) && matchesProject(plan.match, project));
  }

  rateAt(currency: string, at: number): Fraction | undefined {
    const { displayCurrency, exchangeRates } = this.#input.book;
    if (currency === displayCurrency) return Fraction.of(1);
    const found = exchangeRates.filter(rate => rate.currency === currency && rate.fromAt <= at).at(-1);
    return found && Fraction.of(found.rate);
  }

  /** The parts of a project's period with one plan, one price and one exchange rate. */
  stepsOf(project: UsageProject, untilAt: number): Step[] {
    const merged: { plan: PricePlan | undefined; fromAt: number; untilAt: number }[] = [];
    for (const part of this.#parts) {
      const plan = this.#planAt(project, part.fromAt);
      const last = merged.at(-1);
      if (last !== undefined && last.plan === plan && !this.#isCutAt(plan, part.fromAt))
        last.untilAt = part.untilAt;
      else merged.push({ plan, ...part });
    }
    return merged
      .filter(({ fromAt }) => fromAt < untilAt)
      .map(({ plan, fromAt, untilAt: end }) => ({
        plan,
        price: plan?.prices.find(each => holds(each, fromAt)),
        rate: plan && this.rateAt(plan.currency, fromAt),
        fromAt,
        use: this.#used(project, fromAt, Math.min(end, untilAt)),
        pricedBefore: plan === undefined ? 0 : this.#priced(plan, project, fromAt),
      }));
  }

  /** A new exchange rate or price begins a line even where it is the same as before. */
  #isCutAt(plan: PricePlan | undefined, at: number): boolean {
    if (plan === undefined) return false;
    const { book } = this.#input;
    const rates = plan.currency === book.displayCurrency ? [] : book.exchangeRates;
    const own: readonly Dated[] = [
      ...plan.prices,
      ...rates.filter(({ currency }) => currency === plan.currency),
    ];
    return own.some(({ fromAt, untilAt }) => fromAt === at || untilAt === at);
  }

  #used({ project_ref }: UsageProject, fromAt: number, untilAt: number): number {
    const { ledger } = this.#input;
    return ledger.usedUntil(project_ref, untilAt) - ledger.usedUntil(project_ref, fromAt);
  }

  #priced(plan: PricePlan, project: UsageProject, at: number): number {
    const key = `${plan.name} ${project.project_ref}`;
    const parts =
      this.#pricedParts.get(key) ??
      this.#parts
        .filter(({ fromAt }) => this.#planAt(project, fromAt) === plan)
        .filter(({ fromAt }) => plan.prices.some(price => holds(price, fromAt)));
    this.#pricedParts.set(key, parts);
    return parts
      .filter(({ fromAt }) => fromAt < at)
      .reduce((sum, { fromAt, untilAt }) => sum + this.#used(project, fromAt, Math.min(at, untilAt)), 0);
  }

  #isInForce(plan: PricePlan, at: number): boolean {
    return this.projects.some(project => this.#planAt(project, at) === plan);
  }

  isDue(plan: PricePlan, asOf: number): boolean {
    const parts = this.#parts.filter(({ fromAt }) => this.#isInForce(plan, fromAt));
    if (!parts.some(({ fromAt }) => plan.prices.some(price => holds(price, fromAt)))) return false;
    const knownFromAt = this.#input.ledger.knownFrom(this.#account) ?? Infinity;
    return this.projects.some(project => {
      const { created_at = knownFromAt, gone_at = Infinity } = project;
      const own = parts.filter(({ fromAt }) => this.#planAt(project, fromAt) === plan);
      return own.some(({ fromAt, untilAt }) => created_at < Math.min(untilAt, asOf) && gone_at > fromAt);
    });
  }

  amountOf(plan: PricePlan, amounts: DatedAmounts | undefined): Fraction {
    return this.#weigh(plan, listOf(amounts));
  }

  #weigh(plan: PricePlan, values: readonly (Dated & { readonly amount: string })[]): Fraction {
    const parts = this.#parts.filter(({ fromAt }) => this.#isInForce(plan, fromAt));
    const held = values.map(value => {
      const own = parts.filter(({ fromAt }) => holds(value, fromAt));
      return {
        amount: Fraction.of(value.amount),
        ms: own.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0),
      };
    });
    if (plan.partialPeriod === 'whole') return held.find(({ ms }) => ms > 0)?.amount ?? Fraction.zero;
    const length = Fraction.of(this.#period.untilAt - this.#period.fromAt);
    return sumOf(held.map(({ amount, ms }) => amount.times(Fraction.of(ms)).over(length)));
  }

  #includedOf({ included }: PricePlan) {
    if (included === undefined) return [];
    return 'per' in included ? [{ ...included, fromAt: 0 }] : included;
  }

  allowanceOf(plan: PricePlan): { readonly per: string; readonly amount: Fraction; readonly cuMs: number } {
    const values = this.#includedOf(plan);
    const amount = this.#weigh(
      plan,
      values.map(each => ({ ...each, amount: each.amount ?? '0' })),
    );
    const computeHours = this.#weigh(
      plan,
      values.map(each => ({ ...each, amount: each.computeHours ?? '0' })),
    );
    return {
      per: values[0]?.per ?? 'account',
      amount,
      cuMs: Number(computeHours.times(Fraction.of(3_600_000)).floor()),
    };
  }

  includedOf(plan: PricePlan, project: UsageProject): number {
    const { per, cuMs } = this.allowanceOf(plan);
    if (plan.included === undefined) return 0;
    if (per === 'project') return cuMs;
    const known = this.#included.get(plan);
    const shares =
      known ??
      shareInOrder([cuMs], this.projects, this.#period, (each, at) => this.#priced(plan, each, at))[0];
    if (shares !== undefined) this.#included.set(plan, shares);
    return shares?.[this.projects.indexOf(project)] ?? Infinity;
  }

  /** What of a project is billed before each higher tier of a price. */
  tierStartsOf(plan: PricePlan, price: DatedPrice, project: UsageProject): number[] {
    const ends = (price.tiers ?? []).map(({ beyondHours }) => hours(beyondHours));
    const key = JSON.stringify([plan.name, ends]);
    const billed = (each: UsageProject, at: number) =>
      Math.max(0, this.#priced(plan, each, at) - this.includedOf(plan, each));
    const starts = this.#tiers.get(key) ?? shareInOrder(ends, this.projects, this.#period, billed);
    this.#tiers.set(key, starts);
    return ends.map((_, index) => starts[index]?.[this.projects.indexOf(project)] ?? Infinity);
  }

  quantityOf(plan: PricePlan, thing: CountedThing, asOf: number): Fraction {
    const knownFromAt = this.#input.ledger.knownFrom(this.#account) ?? Infinity;
    const endpoints = this.#input.ledger.endpointLives?.() ?? [];
    const alive = (at: number) => {
      const there = this.projects.filter(project => {
        const { created_at = knownFromAt, gone_at = Infinity } = project;
        return created_at <= at && at < gone_at && this.#planAt(project, at) === plan;
      });
      if (thing.of === 'projects') return there.length;
      const own = endpoints.filter(
        ({ project_ref, created_at = -Infinity, gone_at = Infinity }) =>
          created_at <= at && at < gone_at && there.some(project => project.project_ref === project_ref),
      );
      if (thing.of === 'endpoints') return own.length;
      const branches = own.filter(({ branch_id }) => branch_id !== undefined);
      return new Set(branches.map(({ project_ref, branch_id }) => `${project_ref} ${branch_id}`)).size;
    };
    const untilAt = Math.min(asOf, this.#period.untilAt);
    const lives = [...this.projects, ...endpoints].flatMap(({ created_at = knownFromAt, gone_at }) => [
      created_at,
      gone_at ?? 0,
    ]);
    const inside = lives.filter(at => at > this.#period.fromAt && at < untilAt);
    const cuts = [...new Set([...this.#cuts.filter(at => at < untilAt), ...inside, untilAt])].sort(
      (a, b) => a - b,
    );
    const parts = cuts.slice(1).map((until, index) => ({ from: cuts[index] ?? until, until }));
    const counted = parts
      .filter(({ from }) => holds(thing, from))
      .map(({ from, until }) => ({ number: alive(from), ms: until - from }));
    if (thing.count === 'peak')
      return Fraction.of(Math.max(0, ...counted.map(({ number }) => number))).minus(
        Fraction.of(thing.included),
      );
    const length = Fraction.of(this.#period.untilAt - this.#period.fromAt);
    const time = counted.reduce((sum, { number, ms }) => sum + number * ms, 0);
    return Fraction.of(time)
      .over(length)
      .minus(this.#weigh(plan, [{ ...thing, amount: thing.included }]));
  }
}

function listOf(amounts: DatedAmounts | undefined): readonly (Dated & { readonly amount: string })[] {
  if (amounts === undefined) return [];
  return typeof amounts === 'string' ? [{ amount: amounts }] : amounts;
}
