import { loadConfigChecks } from '../../src/check-config/config-checks.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import type { Amount } from '../../src/cost/money/money.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
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

/** The bill that the program makes, in the words of the oracle. */
export function programBill(asked: BillCase): OracleLine[] {
  const { pricing: book, groupings } = readConfig(asked);
  if (book === undefined) throw new Error('no price book');
  const ledger = ledgerOf(asked);
  const { groupsOf } = shareByGroup(groupings);
  const costing = createCosting({ book, ledger, groupsOf });
  const period = billingCalendar(book.billingPeriod)(asked.at);
  return costing.billLines(asked.account, period, asked.as_of).map(showLine);
}

function ledgerOf({ projects, endpoints, use, recorded_from, as_of }: BillCase): UsageLedger {
  const refOf = new Map(projects.map(({ id }, index) => [id, index + 1]));
  const usedBy = Map.groupBy(use, ({ project }) => refOf.get(project) ?? 0);
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
    usedUntil: (project_ref, until) =>
      (usedBy.get(project_ref) ?? []).reduce((sum, { at, cu_ms }) => (at < until ? sum + cu_ms : sum), 0),
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

function showLine(line: CostLine): OracleLine {
  const { kind, plan, name, tier, project, quantity, charge } = line;
  return {
    kind,
    ...(project && { project: project.project_id }),
    ...(plan !== undefined && { plan }),
    ...(name !== undefined && { name }),
    ...(tier !== undefined && { tier }),
    ...(quantity && { quantity: Fraction.of(quantity.value).toString() }),
    ...(charge && { currency: charge.currency, amount: fractionOf(charge.amount) }),
    ...(kind === 'usage' && charge?.price && { price: Fraction.of(charge.price.discounted).toString() }),
    ...(charge?.displayAmount && { display_amount: fractionOf(charge.displayAmount) }),
    ...(kind === 'usage' && {
      included: line.includedCuMs,
      billed: line.billedCuMs,
      unpriced: line.unpricedCuMs,
    }),
  };
}

function fractionOf({ numerator, divisor = 1n }: Amount): string {
  return Fraction.of(numerator.toFixed()).over(hour).over(new Fraction(divisor, 1n)).toString();
}
