import { currencyDecimals, noAmount, showAmount } from '../../../cost/money/money.ts';
import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { BrowsedProject } from '../../../history/browse/browsed-fleet.ts';
import type { BrowsedHistory, HistoryBrowser } from '../../../history/browse/history-browser.ts';
import { openScratch } from '../../../history/file/scratch.ts';
import type { AccountStanding } from '../../../report/standing.ts';
import { compact } from '../../../resources/field.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { writeMaybeInstant } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { sortText } from '../../keyset.ts';
import { readRows, readTotals, rowKey } from '../../report-row.ts';
import { savingOf, sumSavings } from '../../written-saving.ts';
import {
  describeFigures,
  type FigureLook,
  type FigureName,
  type FiguresSaid,
  figuresOf,
} from './project-figure.ts';
import type { ProjectAnswer } from './projects-answer.ts';

/** Projects in a table of SQLite, to be read in another thread; one without any has no columns. */
export interface ProjectTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Each value once. */
  readonly accounts: readonly string[];
  readonly regions: readonly string[];
  readonly groups: readonly { readonly grouping: string; readonly name: string }[];
  /** How many decimals each summed column has; its `_units` are whole parts of the last one. */
  readonly places: Readonly<Record<SummedField, number>>;
}

/** The figures that are added up over projects. */
export const summedFields = ['compute_hours', 'cost', 'cost_forecast'] as const;
export type SummedField = (typeof summedFields)[number];

/** All projects that were ever listed, with what is said of their figures. */
export interface ProjectIndex {
  readonly table: ProjectTable;
  readonly said: FiguresSaid;
  /** The accounts that figures rest on. */
  readonly accounts: readonly AccountStanding[];
  /** Figures that are still being worked out. */
  readonly pending: readonly FigureName[];
  readonly failed: FigureLook['failed'];
}

/**
 * Writes all projects with their figures. A figure that is not ready is null.
 *
 * @param look undefined before the first.
 */
export function indexProjects(
  history: Pick<HistoryBrowser, 'look'>,
  config: Pick<ConsoleConfig, 'groupings' | 'pricing'>,
  look: FigureLook | undefined,
): ProjectIndex {
  const { groupings } = config;
  const write = (known?: BrowsedHistory) =>
    writeProjects(known ? joinProjects(known, look?.reports ?? {}, groupings) : [], groupings);
  return {
    table: history.look(write) ?? write(),
    said: describeFigures(look),
    accounts: look?.accounts ?? [],
    pending: look === undefined ? figuresOf(config) : [],
    failed: look?.failed ?? [],
  };
}

type Reports = NonNullable<FigureLook['reports']>;

/** All projects that were ever listed, one after the other, each joined with its figures as far as there are any yet. */
function joinProjects(
  history: BrowsedHistory,
  reports: Reports,
  groupings: readonly Grouping[],
): IteratorObject<ProjectAnswer> {
  const { groupOf } = shareByGroup(groupings);
  const known = knowFigures(history, reports);
  return history.fleet.projects().map(project => {
    const { account, project_id, project_name, region_id, endpoints, active } = project;
    const state = stateOf(project);
    const matched = matchable(project);
    const groups = groupings.map(({ name }) => [name, groupOf(name, matched)]);
    return {
      ...{ account, project_id, project_name, region_id },
      groups: Object.fromEntries(groups),
      ...{ state, endpoints, endpoints_active: active },
      ...takeFigures(known, keyOf(project), state),
      last_active: writeMaybeInstant(project.last_active),
      created_at: writeMaybeInstant(project.created_at),
      gone_at: writeMaybeInstant(project.gone_at),
    };
  });
}

/** The rows of reports by project. */
function knowFigures({ operations }: BrowsedHistory, { usage, cost, findings, forecast }: Reports) {
  const period = usage?.period;
  return {
    uses: usage && byProject(readRows<'usage'>(usage)),
    // Whether the operations of the whole period are kept.
    areStartsKept: usage !== undefined && typeof readTotals<'usage'>(usage)?.starts === 'number',
    failures: period && byProject(operations.failedByProject(period.fromAt, period.untilAt)),
    // Rows of charges, which are for a billing period, are for no project.
    costs: cost && byProject(readRows<'cost'>(cost).filter(row => !row.billing_period)),
    // The cost of what used nothing.
    noCost: cost?.currency === undefined ? null : showAmount(noAmount, currencyDecimals(cost.currency)),
    findings: findings && Map.groupBy(readRows<'findings'>(findings), keyOf),
    forecasts: forecast && byProject(readRows<'forecast'>(forecast)),
  };
}

function takeFigures(known: ReturnType<typeof knowFigures>, key: string, state: ProjectAnswer['state']) {
  const areCounted = known.areStartsKept && state !== 'importing';
  // A project that a report leaves out used nothing, and will use nothing.
  const use = known.uses && (known.uses.get(key) ?? { compute_hours: '0.00', starts: areCounted ? 0 : null });
  const cost = known.costs?.get(key) ?? { cost: known.noCost, missing: {} };
  const forecast = known.forecasts?.get(key) ?? { expected_cost: known.noCost };
  const isPriced = known.forecasts !== undefined && known.costs?.get(key)?.cost !== null;
  const found = known.findings && (known.findings.get(key) ?? []);
  const saving = found === undefined ? savingOf(undefined) : sumSavings(found.map(savingOf));
  return {
    compute_hours: use?.compute_hours ?? null,
    cost: cost.cost ?? null,
    cost_missing: cost.missing.cost ?? null,
    cost_forecast: isPriced ? (forecast.expected_cost ?? null) : null,
    starts: use?.starts ?? null,
    failures: known.failures && areCounted ? (known.failures.get(key)?.failures ?? 0) : null,
    findings: found?.length ?? null,
    findings_compute_hours_per_month: saving.compute_hours_per_month,
    findings_cost_per_month: saving.cost_per_month,
    findings_most_compute_hours_per_month: saving.most_compute_hours_per_month,
    findings_most_cost_per_month: saving.most_cost_per_month,
  };
}

interface ProjectRow {
  readonly account?: string | null;
  readonly project_id?: string | null;
}

function byProject<Row extends ProjectRow>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map(row => [keyOf(row), row]));
}

function keyOf({ account, project_id }: ProjectRow): string {
  return rowKey(account ?? '', project_id ?? '');
}

/** The state of a project by its endpoints: active before changing, changing before idle. */
function stateOf(project: BrowsedProject): ProjectAnswer['state'] {
  const { gone_at, endpoints_read_at, endpoints, active, idle, changing } = project;
  if (gone_at !== null) return 'gone';
  if (endpoints === 0) return endpoints_read_at === null ? 'importing' : 'none';
  if (active > 0) return 'active';
  if (changing > 0) return 'changing';
  return idle === endpoints ? 'idle' : 'other';
}

/** The columns that conditions of groups look at. */
function matchable({ account, project_id, project_name, ...rest }: BrowsedProject) {
  const { region_id, platform_id, owner_id, org_id, org_name } = rest;
  return compact({ account, project_id, project_name, region_id, platform_id, owner_id, org_id, org_name });
}

/** Writes projects one after the other, and keeps none of them but in the table. */
export function writeProjects(rows: Iterable<ProjectAnswer>, groupings: readonly Grouping[]): ProjectTable {
  const database = openScratch();
  try {
    const places = { compute_hours: 0, cost: 0, cost_forecast: 0 };
    let insert: ReturnType<typeof createTable> | undefined;
    const open = groupings.filter(({ by }) => by !== 'owner').map(({ name }) => name);
    database.transaction(() => {
      for (const row of rows) {
        const units = summedFields.map(name => {
          const [whole = '', part = ''] = row[name]?.split('.') ?? [];
          places[name] = Math.max(places[name], part.length);
          return [unitsOf(name), row[name] === null ? null : BigInt(whole + part)];
        });
        const more = { groups: JSON.stringify(row.groups), ...Object.fromEntries(units) };
        const values = { ...row, ...keysOf(row, open), ...more };
        insert ??= createTable(database, Object.keys(values));
        insert.run(values);
      }
    })();
    if (insert === undefined)
      return { bytes: new Uint8Array(), places, accounts: [], regions: [], groups: [] };
    const list = (sql: string) => database.prepare<[], string>(sql).pluck().all();
    return {
      bytes: new Uint8Array(database.serialize()),
      places,
      accounts: list('SELECT DISTINCT account FROM project'),
      regions: list("SELECT DISTINCT region_id FROM project WHERE region_id <> ''"),
      groups: database
        .prepare<[], { grouping: string; name: string }>(
          'SELECT DISTINCT key AS grouping, value AS name FROM project, json_each(groups)',
        )
        .all(),
    };
  } finally {
    database.close();
  }
}

/** @returns what inserts a row. */
function createTable(database: ReturnType<typeof openScratch>, columns: readonly string[]) {
  database.exec(`CREATE TABLE project (${columns})`);
  return database.prepare(`INSERT INTO project VALUES (${columns.map(name => `@${name}`)})`);
}

/** The column of a figure as a whole number, to be added up exactly. */
export function unitsOf(name: SummedField): string {
  return `${name}_units`;
}

/** The texts that a project is sorted and looked for by. */
function keysOf({ project_id, project_name, region_id, groups }: ProjectAnswer, open: readonly string[]) {
  return {
    by_id: sortText(project_id),
    by_name: sortText(project_name || project_id),
    by_region: region_id === null ? null : sortText(region_id),
    by_groups: sortText(Object.values(groups).join(' ')),
    // For readers who may not see who people are.
    by_open_groups: sortText(open.map(name => groups[name]).join(' ')),
  };
}
