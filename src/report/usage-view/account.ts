import type { Period } from '../../cost/calendar/calendar.ts';
import { addBounds, shiftBounds } from '../../cost/forecast/bound.ts';
import { withMetered } from '../../cost/forecast/charge-projection.ts';
import { forecastUse } from '../../cost/forecast/forecast.ts';
import { forecastMetered } from '../../cost/forecast/metered-forecast.ts';
import { meteredCost } from '../../cost/forecast/projected-meter.ts';
import { expectCompute, forecastCost } from '../../cost/forecast/scope-forecast.ts';
import { amountNumber, readAmount } from '../../cost/money/money.ts';
import { billLinesOf, type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import { compact } from '../../resources/field.ts';
import { ungrouped } from '../../resources/grouping.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type {
  AccountUsage,
  GroupUsage,
  ProjectUsage,
  UsageForecast,
  WholeAccount,
} from '../../resources/usage/view.ts';
import type { AccountSpan } from './analysis.ts';
import { accountScopeName } from './options.ts';
import { priceScope, projectCharges, type UsageSnapshot } from './snapshot.ts';

/** An account in the billing period that now lies in, which may have begun after it was last read. */
interface AccountInPeriod extends AccountSpan {
  readonly period: Period;
}

/**
 * All of an account that is on the page of metrics, its groups and projects too.
 *
 * @param accrual the cost that was ever counted; undefined while none was.
 */
export function viewAccount(
  snapshot: UsageSnapshot,
  known: AccountInPeriod,
  accrual: CostAccrual | undefined,
): AccountUsage {
  const { account, period } = known;
  const { history, ledger, book, analysis } = snapshot;
  const projects = ledger.projects.filter(project => project.account === account);
  const lines = usedLines(snapshot, known);
  const amountsOf = describeAmounts(book);
  const unattributedCuMs = history.usage.unattributed(account).reduce((sum, { cuMs }) => sum + cuMs, 0);
  const total = accrual && amountNumber(readAmount(accrual.total));
  return {
    ...viewWhole(snapshot, known, lines),
    ...analysis?.findings.get(account),
    unattributedComputeSeconds: unattributedCuMs / 1000,
    ...compact({
      costTotal: total,
      unpricedComputeSecondsTotal: accrual && accrual.unpricedTotal / 1000,
      reconstruction: history.reconstruction(account),
      ledgers: history.compareLedgers(account),
      awakeDrifts: history.compareAwake(account),
    }),
    groups: viewGroups(snapshot, account, projects, lines, amountsOf),
    projects: viewProjects(snapshot, projects, lines, amountsOf, period),
  };
}

/** The lines of an account since its billing period began, without its charges. */
function usedLines({ costing }: UsageSnapshot, known: AccountInPeriod): CostLine[] {
  const stretch = { fromAt: known.period.fromAt, untilAt: soFarUntil(known) };
  return [...costing.usageLines(stretch, project => project.account === known.account)];
}

/** The end of what is known of a period: its beginning where nothing is. */
export function soFarUntil({ period, knownUntilAt }: Pick<WholeAccount, 'period' | 'knownUntilAt'>): number {
  return Math.max(period.fromAt, knownUntilAt);
}

/** Use and cost of an account as a whole in its billing period, with its forecast. */
export function viewWhole(
  snapshot: UsageSnapshot,
  known: AccountInPeriod,
  lines: readonly CostLine[] = usedLines(snapshot, known),
): WholeAccount {
  const { account, knownUntilAt, period } = known;
  const { book, costing } = snapshot;
  const charges = costing.chargeLines(period, knownUntilAt, each => each === account);
  const forecast = forecastAccount(snapshot, known, lines);
  return {
    account,
    knownUntilAt,
    period,
    ...describeAmounts(book)([...lines, ...charges]),
    ...(book && { unpricedComputeSeconds: sumLines(lines).unknownCuMs / 1000 }),
    ...(forecast && { forecast }),
  };
}

type AmountsOf = (
  lines?: readonly CostLine[],
) => Pick<GroupUsage, 'currency' | 'computeSeconds' | 'cost' | 'lineCosts'>;

/** Use and cost of lines; without a price book there is no cost. */
function describeAmounts(book: PriceBook | undefined): AmountsOf {
  const sumBillLines = book && billLinesOf(book);
  return (lines = []) => {
    const { usedCuMs, amount } = sumLines(lines);
    return {
      computeSeconds: usedCuMs / 1000,
      ...(book && { currency: book.displayCurrency, cost: amountNumber(amount) }),
      ...(sumBillLines && { lineCosts: sumBillLines(lines) }),
    };
  };
}

/** Every group there is, also one without use. */
function viewGroups(
  { options, groups }: UsageSnapshot,
  account: string,
  projects: readonly UsageProject[],
  lines: readonly CostLine[],
  amountsOf: AmountsOf,
): readonly GroupUsage[] {
  const present = projects.filter(({ gone_at }) => gone_at === undefined);
  return options.groupings.flatMap(({ name: grouping, groups: named, by }) => {
    const byGroup = Map.groupBy(lines, line => groups.groupOfLine(grouping, line));
    const owners = by === undefined ? [] : present.map(project => groups.groupOf(grouping, project));
    const used = by === undefined ? [] : byGroup.keys();
    const names = new Set([...named.map(({ name }) => name), ...owners, ...used, ungrouped]);
    return [...names].map(group => ({ account, grouping, group, ...amountsOf(byGroup.get(group)) }));
  });
}

/** Projects that are not gone, where a cost or an anomaly is known; not where some of the cost is left out. */
function viewProjects(
  { analysis, history, book }: UsageSnapshot,
  projects: readonly UsageProject[],
  lines: readonly CostLine[],
  amountsOf: AmountsOf,
  period: Period,
): readonly ProjectUsage[] {
  const byProject = Map.groupBy(lines, ({ project }) => project?.project_ref);
  return projects.flatMap(({ account, project_id, project_ref, gone_at }) => {
    const anomalyComputeSeconds = analysis?.anomalies.get(project_ref);
    const anomalyMetered = analysis?.meteredAnomalies.get(project_ref);
    const anomalies = compact({ anomalyComputeSeconds, anomalyMetered });
    const isPartial = (history.usage.unattributedOf(project_ref)?.untilAt ?? 0) > period.fromAt;
    const isSilent = (book === undefined || isPartial) && Object.keys(anomalies).length === 0;
    if (gone_at !== undefined || isSilent) return [];
    const { computeSeconds: _shown, ...cost } = amountsOf(byProject.get(project_ref));
    return [{ account, project_id, ...(!isPartial && cost), ...anomalies }];
  });
}

function forecastAccount(
  snapshot: UsageSnapshot,
  known: AccountInPeriod,
  used: readonly CostLine[],
): UsageForecast | undefined {
  const { account, period } = known;
  const { analysis } = snapshot;
  const rolled = analysis?.forecasts.get(accountScopeName(account));
  const forecast = rolled && forecastUse(rolled, period.untilAt);
  if (analysis === undefined || forecast === undefined) return undefined;
  const isMeant = (project: UsageProject) => project.account === account;
  // As a budget of the account takes it, which is the same thing.
  const now = soFarUntil(known);
  const rest = { fromAt: now, untilAt: period.untilAt };
  const { usedCuMs, amount } = sumLines(used);
  const price = priceScope(snapshot, now, isMeant);
  const projection = projectCharges(snapshot, now);
  const past = analysis.meteredPasts.get(accountScopeName(account));
  const charges =
    projection &&
    withMetered(
      projection.charges(period, line => line.account === account),
      shiftBounds(projection.metered(period, isMeant, past), -meteredCost(used)),
    );
  const { metered, projects } = snapshot.ledger;
  const members = [...projects, ...(metered?.others ?? [])].filter(isMeant);
  return {
    computeSeconds: expectCompute(forecast, rest, usedCuMs),
    ...compact({
      cost:
        price &&
        charges &&
        addBounds(shiftBounds(forecastCost(forecast, price, rest).total, amountNumber(amount)), charges),
      metered: past && forecastMetered(snapshot.ledger, members, past, period),
      quality: analysis.qualities.get(accountScopeName(account)),
    }),
  };
}
