import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { ProjectFailures } from '../../../history/browse/browsed-failure.ts';
import type { BrowsedProject } from '../../../history/browse/browsed-fleet.ts';
import type { HistoryBrowser } from '../../../history/browse/history-browser.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import {
  type CostFigure,
  describeFigures,
  type FigureName,
  type FiguresSaid,
  type FleetFigures,
  type FleetLook,
  figuresOf,
  type UsedFigure,
} from './fleet-figure.ts';
import { type FleetRow, rowKey, stateOf } from './fleet-row.ts';
import type { FoundSaving } from './found-saving.ts';
import { type ProjectTable, writeProjects } from './project-table.ts';

/** All projects with their figures, and what is said of these. */
export interface Fleet {
  readonly table: ProjectTable;
  readonly said: FiguresSaid;
  /** Figures that are still being worked out. */
  readonly pending: readonly FigureName[];
  readonly failed: FleetLook['failed'];
}

/**
 * Joins all projects that were ever listed with their figures; those that are not ready are null.
 *
 * @param look undefined before the first.
 */
export function joinFleet(
  history: Pick<HistoryBrowser, 'look'>,
  config: Pick<ConsoleConfig, 'groupings' | 'pricing'>,
  look: FleetLook | undefined,
): Fleet {
  const figures = look?.figures ?? {};
  const { usage } = figures;
  const { groupings } = config;
  const table = history.look(({ fleet, failures }) => {
    const failed = usage && failures.byProject(usage.period.fromAt, usage.period.untilAt);
    const known = knowFigures(figures, groupings, failed);
    return writeProjects(
      fleet.projects().map(each => joinRow(each, known)),
      groupings,
    );
  });
  return {
    table: table ?? writeProjects([], groupings),
    said: describeFigures(look),
    pending: look === undefined ? figuresOf(config) : [],
    failed: look?.failed ?? [],
  };
}

function knowFigures(
  figures: FleetFigures,
  groupings: readonly Grouping[],
  failures: readonly ProjectFailures[] | undefined,
): KnownFigures {
  const { usage, cost, findings, forecast } = figures;
  const groups = shareByGroup(groupings);
  return {
    groupsOf: project =>
      Object.fromEntries(groupings.map(({ name }) => [name, groups.groupOf(name, project)])),
    failures:
      failures && new Map(failures.map(each => [rowKey(each.account, each.project_id), each.failures])),
    usage: usage?.rows,
    cost: cost?.rows,
    noCost: cost?.none ?? null,
    findings: findings?.rows,
    forecasts: forecast?.rows,
    areStartsKept: usage?.areStartsKept ?? false,
  };
}

interface KnownFigures {
  readonly groupsOf: (
    project: Parameters<ReturnType<typeof shareByGroup>['groupsOf']>[0],
  ) => Record<string, string>;
  readonly failures: ReadonlyMap<string, number> | undefined;
  readonly usage: ReadonlyMap<string, UsedFigure> | undefined;
  readonly cost: ReadonlyMap<string, CostFigure> | undefined;
  readonly noCost: string | null;
  readonly findings: ReadonlyMap<string, FoundSaving> | undefined;
  readonly forecasts: ReadonlyMap<string, string | null> | undefined;
  readonly areStartsKept: boolean;
}

function joinRow(project: BrowsedProject, known: KnownFigures): FleetRow {
  const { account, project_id, project_name, region_id, endpoints, active } = project;
  const key = rowKey(account, project_id);
  const cost = known.cost?.get(key);
  const saving = known.findings?.get(key);
  const { failures, areStartsKept } = known;
  const state = stateOf(project);
  const areCounted = areStartsKept && state !== 'importing';
  return {
    ...{ account, project_id, project_name, region_id },
    groups: known.groupsOf(matchable(project)),
    state,
    endpoints,
    endpoints_active: active,
    ...useOf(known, key, areCounted),
    cost: cost === undefined ? known.noCost : cost.cost,
    cost_missing: cost?.missing ?? null,
    cost_forecast: forecastOf(known, key, cost),
    failures: failures === undefined || !areCounted ? null : (failures.get(key) ?? 0),
    findings: saving?.findings ?? (known.findings === undefined ? null : 0),
    findings_compute_hours_per_month: saving?.compute_hours_per_month ?? null,
    findings_cost_per_month: saving?.cost_per_month ?? null,
    findings_most_compute_hours_per_month: saving?.most_compute_hours_per_month ?? null,
    findings_most_cost_per_month: saving?.most_cost_per_month ?? null,
    lastActiveAt: project.last_active,
    createdAt: project.created_at,
    goneAt: project.gone_at,
  };
}

/** The forecast of a project: none in money without a price, and nothing where the report leaves it out, as it will use nothing. */
function forecastOf({ forecasts, noCost }: KnownFigures, key: string, cost?: CostFigure): string | null {
  if (forecasts === undefined || cost?.cost === null) return null;
  const forecast = forecasts.get(key);
  return forecast === undefined ? noCost : forecast;
}

/** A project that the report leaves out used nothing. */
function useOf({ usage }: KnownFigures, key: string, areCounted: boolean): UsedFigure {
  if (usage === undefined) return { compute_hours: null, starts: null };
  return usage.get(key) ?? { compute_hours: '0.00', starts: areCounted ? 0 : null };
}

/** The columns that conditions of groups look at. */
function matchable({ account, project_id, ...rest }: BrowsedProject) {
  const { project_name, region_id, platform_id, owner_id, org_id, org_name } = rest;
  const known = { project_name, region_id, platform_id, owner_id, org_id, org_name };
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  return { account, project_id, ...(given as Partial<Record<keyof typeof known, string>>) };
}
