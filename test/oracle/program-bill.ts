import { loadConfigChecks } from '../../src/check/config/loaded-config.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import type { Amount } from '../../src/cost/money/money.ts';
import { unitOf } from '../../src/cost/price/metered-tariff.ts';
import { type CostLine, isUse } from '../../src/cost/rating/cost-line.ts';
import { type CostingInput, createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../src/resources/usage/ledger.ts';
import { Fraction } from '../cost/fraction.ts';
import type { BillCase } from './bill-case.ts';
import type { OracleLine } from './oracle-bill.ts';

const checks = await loadConfigChecks();
const hour = Fraction.of(3_600_000);

/** The configuration that a user writes. JSON is YAML. */
export function readConfig({ pricing, groups, accounts }: BillCase): Config {
  const written = accounts.map(name => ({ name, base_url: 'https://api.example.com/api/v2/' }));
  const loaded = loadConfig({
    flags: { 'config.file': 'dbpm.yaml' },
    env: {},
    readFile: () => ({ text: JSON.stringify({ accounts: written, pricing, groups }), readableByAll: false }),
    checks,
    now: 0,
    isOffline: true,
  });
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

/** What the program works a bill out from. */
export function costingInput(asked: BillCase): CostingInput & { readonly book: PriceBook } {
  const { pricing: book, groupings } = readConfig(asked);
  if (book === undefined) throw new Error('no price book');
  return { book, ledger: ledgerOf(asked), groupsOf: shareByGroup(groupings).groupsOf };
}

/** The bill that the program makes, in the words of the oracle. */
export function programBill(asked: BillCase): OracleLine[] {
  const input = costingInput(asked);
  const period = billingCalendar(input.book.billingPeriod)(asked.at);
  return createCosting(input)
    .billLines(asked.account, period, asked.as_of)
    .map(line => showLine(line, input.book));
}

function ledgerOf({ projects, endpoints, use, metered = [], recorded_from, as_of }: BillCase): UsageLedger {
  const refOf = new Map(projects.map(({ id }, index) => [id, index + 1]));
  const usedBy = new RunningTotals(
    use.map(({ project, at, cu_ms }) => ({ key: `${refOf.get(project)}`, at, amount: cu_ms })),
  );
  const meteredBy = new RunningTotals(
    metered.map(({ project, metric, at, amount }) => ({
      key: `${refOf.get(project)} ${metric}`,
      at,
      amount,
    })),
  );
  return {
    projects: projects.map(
      ({ id, name, account, region, platform, created_at, deleted_at }): UsageProject => {
        return {
          project_ref: refOf.get(id) ?? 0,
          account,
          project_id: id,
          ...(name !== undefined && { project_name: name }),
          ...(region !== undefined && { region_id: region }),
          ...(platform !== undefined && { platform_id: platform }),
          ...lifeOf({ created_at, deleted_at }),
        };
      },
    ),
    knownFrom: () => recorded_from,
    knownUntil: () => as_of,
    usedUntil: (project_ref, until) => usedBy.until(`${project_ref}`, until),
    metered: {
      others: [],
      // Compute stays that of `use`.
      knownSpan: () => undefined,
      meteredUntil: (project_ref, metric, until) => meteredBy.until(`${project_ref} ${metric}`, until),
    },
    endpointLives: () =>
      endpoints.map(({ project, branch, created_at, deleted_at }) => ({
        project_ref: refOf.get(project) ?? 0,
        branch_id: branch,
        ...lifeOf({ created_at, deleted_at }),
      })),
  };
}

function lifeOf(life: { readonly created_at: number | undefined; readonly deleted_at: number | undefined }) {
  const { created_at, deleted_at } = life;
  return {
    ...(created_at !== undefined && { created_at }),
    ...(deleted_at !== undefined && { gone_at: deleted_at }),
  };
}

function showLine(line: CostLine, book: PriceBook): OracleLine {
  const { kind, plan, name, tier, project, quantity, charge } = line;
  return {
    kind,
    ...(project && { project: project.project_id }),
    ...(plan !== undefined && { plan }),
    ...(name !== undefined && { name }),
    ...(tier !== undefined && { tier }),
    ...(kind === 'metered'
      ? countParts(line, book)
      : quantity && { quantity: Fraction.of(quantity.value).toString() }),
    ...(charge && { currency: charge.currency, amount: fractionOf(charge.amount) }),
    ...(isUse(line) && charge?.price && { price: Fraction.of(charge.price.discounted).toString() }),
    ...(charge?.displayAmount && { display_amount: fractionOf(charge.displayAmount) }),
    ...(kind === 'usage' && {
      included: line.includedCuMs,
      billed: line.billedCuMs,
      unpriced: line.unpricedCuMs,
    }),
  };
}

/** A quantity as it is shown tells how many units of the meter it is. */
function countParts({ plan, name, quantity }: CostLine, book: PriceBook) {
  const metered = book.plans.find(each => each.name === plan)?.metered;
  const thing = metered?.find(each => each.name === name);
  if (thing === undefined || quantity === undefined) throw new Error(`nothing is called ${name}`);
  const { parts } = unitOf(thing.metric, book.meter);
  const count = (text = '0') => Number(Fraction.of(text).times(Fraction.of(parts)).rounded(0).top);
  return { included: count(quantity.included), billed: count(quantity.value), unpriced: 0 };
}

function fractionOf({ numerator, divisor = 1n }: Amount): string {
  return Fraction.of(numerator.toFixed()).over(hour).over(new Fraction(divisor, 1n)).toString();
}

interface Entry {
  readonly key: string;
  readonly at: number;
  readonly amount: number;
}

/** What entries of a key come to before an instant. */
class RunningTotals {
  readonly #entries: ReadonlyMap<string, readonly Entry[]>;

  constructor(entries: readonly Entry[]) {
    const totals = new Map<string, Entry[]>();
    for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
      const own = totals.get(entry.key) ?? [];
      totals.set(entry.key, own);
      own.push({ ...entry, amount: (own.at(-1)?.amount ?? 0) + entry.amount });
    }
    this.#entries = totals;
  }

  until(key: string, until: number): number {
    const own = this.#entries.get(key) ?? [];
    let [before, after] = [0, own.length];
    while (before < after) {
      const middle = (before + after) >> 1;
      if ((own[middle]?.at ?? 0) < until) before = middle + 1;
      else after = middle;
    }
    return own[before - 1]?.amount ?? 0;
  }
}
