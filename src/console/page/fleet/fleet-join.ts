import { currencyDecimals, noAmount, showAmount } from '../../../cost/money/money.ts';
import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { BrowsedProject, ProjectFailures } from '../../../history/browse/browsed-fleet.ts';
import type { HistoryBrowser } from '../../../history/browse/history-browser.ts';
import type { Report } from '../../../report/format/report.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import type { AccountStanding } from '../../../report/standing.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { readRows, rowKey } from '../../report-row.ts';
import { savingOf, sumSavings } from '../../saving-field.ts';
import type { FleetRow, ProjectState } from './fleet-answer.ts';
import {
  describeFigures,
  type FigureName,
  type FiguresSaid,
  type FleetLook,
  figuresOf,
} from './fleet-figure.ts';
import { type ProjectTable, writeProjects } from './project-table.ts';

/** All projects with their figures, and what is said of these. */
export interface Fleet {
  readonly table: ProjectTable;
  readonly said: FiguresSaid;
  /** The accounts that figures rest on. */
  readonly accounts: readonly AccountStanding[];
  /** Figures that are still being worked out. */
  readonly pending: readonly FigureName[];
  readonly failed: FleetLook['failed'];
}

/**
 * Joins all projects that were ever listed with their figures. A figure that is not ready is null.
 *
 * @param look undefined before the first.
 */
export function joinFleet(
  history: Pick<HistoryBrowser, 'look'>,
  config: Pick<ConsoleConfig, 'groupings' | 'pricing'>,
  look: FleetLook | undefined,
): Fleet {
  const { groupings } = config;
  const usage = look?.reports?.usage;
  const table = history.look(({ fleet, failures }) => {
    const failed = usage && failures.byProject(usage.period.fromAt, usage.period.untilAt);
    const known = knowFigures(look?.reports ?? {}, failed, groupings);
    return writeProjects(
      fleet.projects().map(each => joinRow(each, known)),
      groupings,
    );
  });
  return {
    table: table ?? writeProjects([], groupings),
    said: describeFigures(look),
    accounts: look?.accounts ?? [],
    pending: look === undefined ? figuresOf(config) : [],
    failed: look?.failed ?? [],
  };
}

type KnownFigures = ReturnType<typeof knowFigures>;

/** The figures by project, as far as there are any yet. */
function knowFigures(
  { usage, cost, findings, forecast }: NonNullable<FleetLook['reports']>,
  failures: readonly ProjectFailures[] | undefined,
  groupings: readonly Grouping[],
) {
  const groups = shareByGroup(groupings);
  const starts = usage?.columns.findIndex(({ key }) => key === 'starts') ?? -1;
  const currency = cost?.currency;
  return {
    groupsOf: (project: Parameters<typeof groups.groupsOf>[0]) =>
      Object.fromEntries(groupings.map(({ name }) => [name, groups.groupOf(name, project)])),
    use: usage && takeRows(readRows<'usage'>(usage), useOf),
    // Whether the operations of the whole period are kept.
    areStartsKept: usage?.totals?.[starts] !== undefined,
    failures:
      failures && new Map(failures.map(each => [rowKey(each.account, each.project_id), each.failures])),
    costs: cost && takeRows(readRows<'cost'>(cost).filter(isOfProject), costOf),
    // The cost of what used nothing.
    noCost: currency === undefined ? null : showAmount(noAmount, currencyDecimals(currency)),
    savings: findings && sumFindings(findings),
    // The cost of the whole billing period as it is expected; null while too little is known.
    forecasts: forecast && takeRows(readRows<'forecast'>(forecast), row => row.expected_cost ?? null),
  };
}

function useOf(row: ReadRow<'usage'>): Pick<FleetRow, 'compute_hours' | 'starts'> {
  return { compute_hours: row.compute_hours ?? null, starts: row.starts ?? null };
}

function costOf(row: ReadRow<'cost'>): Pick<FleetRow, 'cost' | 'cost_missing'> {
  return { cost: row.cost ?? null, cost_missing: row.missing.cost ?? null };
}

/** Rows of charges, which are for a billing period, are for no project. */
function isOfProject(row: ReadRow<'cost'>): boolean {
  return !row.billing_period;
}

type ProjectRow = Pick<ReadRow<'usage'>, 'account' | 'project_id'>;

function takeRows<Row extends ProjectRow, Figure>(
  rows: readonly Row[],
  take: (row: Row) => Figure,
): ReadonlyMap<string, Figure> {
  return new Map(rows.map(row => [keyOfRow(row), take(row)]));
}

/** How many findings a project has, and what following all of them saves in 30 days. */
function sumFindings(report: Report) {
  const rows = Map.groupBy(readRows<'findings'>(report), keyOfRow);
  return new Map(
    [...rows].map(([key, own]) => [key, { findings: own.length, ...sumSavings(own.map(savingOf)) }]),
  );
}

function keyOfRow({ account, project_id }: ProjectRow): string {
  return rowKey(account ?? '', project_id ?? '');
}

function joinRow(project: BrowsedProject, known: KnownFigures): FleetRow {
  const { account, project_id, project_name, region_id, endpoints, active } = project;
  const key = rowKey(account, project_id);
  const state = stateOf(project);
  const areCounted = known.areStartsKept && state !== 'importing';
  // A project that a report leaves out used nothing.
  const noUse = known.use
    ? { compute_hours: '0.00', starts: areCounted ? 0 : null }
    : { compute_hours: null, starts: null };
  const cost = known.costs?.get(key) ?? { cost: known.noCost, cost_missing: null };
  const saving = known.savings?.get(key);
  return {
    ...{ account, project_id, project_name, region_id },
    groups: known.groupsOf(matchable(project)),
    state,
    endpoints,
    endpoints_active: active,
    ...(known.use?.get(key) ?? noUse),
    ...cost,
    cost_forecast: forecastOf(known, key),
    failures: known.failures === undefined || !areCounted ? null : (known.failures.get(key) ?? 0),
    findings: saving?.findings ?? (known.savings === undefined ? null : 0),
    findings_compute_hours_per_month: saving?.compute_hours_per_month ?? null,
    findings_cost_per_month: saving?.cost_per_month ?? null,
    findings_most_compute_hours_per_month: saving?.most_compute_hours_per_month ?? null,
    findings_most_cost_per_month: saving?.most_cost_per_month ?? null,
    last_active: project.last_active,
    created_at: project.created_at,
    gone_at: project.gone_at,
  };
}

/** The state of a project by its endpoints: active before changing, changing before idle. */
function stateOf(project: BrowsedProject): ProjectState {
  const { gone_at, endpoints_read_at, endpoints, active, idle, changing } = project;
  if (gone_at !== null) return 'gone';
  if (endpoints === 0) return endpoints_read_at === null ? 'importing' : 'none';
  if (active > 0) return 'active';
  if (changing > 0) return 'changing';
  return idle === endpoints ? 'idle' : 'other';
}

/** The forecast of a project: none in money without a price, and nothing where the report leaves it out, as it will use nothing. */
function forecastOf({ forecasts, costs, noCost }: KnownFigures, key: string): string | null {
  if (forecasts === undefined || costs?.get(key)?.cost === null) return null;
  const forecast = forecasts.get(key);
  return forecast === undefined ? noCost : forecast;
}

/** The columns that conditions of groups look at. */
function matchable({ account, project_id, ...rest }: BrowsedProject) {
  const { project_name, region_id, platform_id, owner_id, org_id, org_name } = rest;
  const known = { project_name, region_id, platform_id, owner_id, org_id, org_name };
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  return { account, project_id, ...(given as Partial<Record<keyof typeof known, string>>) };
}
