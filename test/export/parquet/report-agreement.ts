import { expect } from 'vitest';
import { amountOf } from '../../../src/cost/money/money.ts';
import { showCosts } from '../../../src/report/format/cost-text.ts';
import { showHourParts, showHours, showMostHours } from '../../../src/report/format/hour-text.ts';
import type { Ask } from './duck.ts';

type Cells = Readonly<Record<string, string | null>>;
interface JsonReport {
  readonly rows: readonly Cells[];
  readonly totals: Cells;
}

/** Columns of tables by the cells of a row, and whether charges have rows of their own. */
export const axes = {
  project: { cells: ['account', 'project_id'], sql: 'account, coalesce(project_id, charge) AS project_id' },
  group: { cells: ['group'], sql: 'coalesce(group_name, charge) AS "group"' },
  region: { cells: ['region_id'], sql: 'coalesce(region_id, charge) AS region_id' },
  account: { cells: ['account'], sql: 'account' },
} as const;
export type Axis = keyof typeof axes;

/** A table with the words that reports have in place of a project for a charge. */
const withCharge = (table: string, words: string) => `(SELECT *, ${words} AS charge FROM ${table})`;

function keyOf(row: Cells, cells: readonly string[]): string {
  return JSON.stringify(cells.map(cell => row[cell] ?? ''));
}

/** A figure of each row of a report by SQL; each row has one, and no other is left. */
function figuresOf(
  report: JsonReport,
  cells: readonly string[],
  found: readonly Cells[],
  figure: string,
): string[] {
  const byKey = new Map(found.map(row => [keyOf(row, cells), row[figure] ?? '0']));
  const figures = report.rows.map(row => {
    const key = keyOf(row, cells);
    const value = byKey.get(key);
    byKey.delete(key);
    return value ?? '0';
  });
  expect([...byKey].filter(([, value]) => Number(value) !== 0)).toEqual([]);
  return figures;
}

const toCuMs = (texts: readonly string[]) => texts.map(text => Math.round(Number(text) * 1000));

/** Every figure of use in a report is what SQL makes of the tables. */
export async function expectUsage(ask: Ask, report: JsonReport, axis: Axis, period: string): Promise<void> {
  const { cells, sql } = axes[axis];
  const used = await ask(
    `SELECT ${sql}, sum(compute_seconds) AS used FROM ${withCharge('usage_hours', 'NULL')} WHERE ${period} GROUP BY ALL`,
  );
  // The reports round each endpoint to the CU-millisecond.
  const endpoints = await ask(
    `SELECT * EXCLUDE (endpoint_id) REPLACE (sum(lower) AS lower, sum(upper) AS upper, sum(awake) AS awake, sum(starts) AS starts)
     FROM (SELECT ${sql}, account || project_id || endpoint_id AS endpoint_id,
       greatest(0, round(sum(compute_lower_seconds) * 1000, 0)) / 1000 AS lower,
       greatest(0, round(sum(compute_upper_seconds) * 1000, 0)) / 1000 AS upper,
       sum(awake_seconds) AS awake, sum(starts) AS starts
     FROM ${withCharge('endpoint_days', 'NULL')} WHERE ${period} GROUP BY ALL) GROUP BY ALL`,
  );
  const scopes = report.rows.map(row => ({ key: keyOf(row, cells) }));
  const cuMsOf = (found: readonly Cells[], figure: string) => toCuMs(figuresOf(report, cells, found, figure));
  const shown = (found: readonly Cells[], figure: string) => showHours(cuMsOf(found, figure), scopes);
  const column = (name: string) => report.rows.map(row => row[name]);
  expect(column('compute_hours')).toEqual(shown(used, 'used'));
  expect(column('reconstructed_lower_hours')).toEqual(shown(endpoints, 'lower'));
  const [lower, upper] = [cuMsOf(endpoints, 'lower'), cuMsOf(endpoints, 'upper')];
  const bounds = lower.map((lowerCuMs, row) => ({ lowerCuMs, upperCuMs: upper[row] ?? 0 }));
  expect(column('reconstructed_upper_hours')).toEqual(showMostHours(bounds, scopes));
  expect(column('awake_hours')).toEqual(shown(endpoints, 'awake'));
  expect(column('starts').map(Number)).toEqual(figuresOf(report, cells, endpoints, 'starts').map(Number));
}

/** Every figure of money and hours in a report is what SQL makes of the tables. */
export async function expectCost(ask: Ask, report: JsonReport, axis: Axis, period: string): Promise<void> {
  const { cells, sql } = axes[axis];
  const isAccount = axis === 'account';
  const found = await ask(
    `SELECT ${sql}${
      isAccount ? '' : ', CASE WHEN project_id IS NULL THEN billing_period END AS billing_period'
    }, round(sum(cost), 12) AS cost, sum(used_seconds) AS used, sum(included_seconds) AS included,
       sum(billed_seconds) AS billed, sum(unpriced_seconds) AS unpriced
     FROM ${withCharge('cost_lines', "'(' || line || ')'")} WHERE ${period} GROUP BY ALL`,
  );
  const all = isAccount ? cells : [...cells, 'billing_period'];
  const figures = (name: string) => figuresOf(report, all, found, name);
  const [included, billed, unpriced] = ['included', 'billed', 'unpriced'].map(name => toCuMs(figures(name)));
  const amounts = figures('cost');
  const costs = report.rows.map((_, index) => ({
    scope: { key: '', cells: {} },
    sum: {
      ...{ usedCuMs: 0, includedCuMs: included?.[index] ?? 0, billedCuMs: billed?.[index] ?? 0 },
      ...{ unpricedCuMs: unpriced?.[index] ?? 0, unknownCuMs: 0, unconverted: new Map() },
      amount: amountOf(amounts[index] ?? '0'),
    },
  }));
  const shown = showCosts(costs, 2);
  expect(report.rows.map(({ cost }) => cost)).toEqual(shown.cells);
  expect(report.totals.cost).toBe(shown.total);
  const hours = showHourParts(
    costs.map(({ sum }) => [sum.includedCuMs, sum.billedCuMs, sum.unpricedCuMs]),
    report.rows.map(row => ({ key: keyOf(row, all) })),
  );
  const names = ['used_hours', 'included_hours', 'billed_hours', 'unpriced_hours'];
  expect(report.rows.map(row => names.map(name => row[name]))).toEqual(hours.rows);
}

/** Numbers, failures and durations of operations are what SQL makes of the tables. */
export async function expectOperations(
  ask: Ask,
  report: JsonReport,
  axis: Axis,
  period: string,
): Promise<void> {
  const { cells, sql } = axes[axis];
  const found = await ask(
    `SELECT ${sql}, action, count(*) AS operations,
       count(*) FILTER (failed) AS failed, sum(failed_attempts) AS failed_attempts,
       round(quantile_disc(duration_seconds, 0.5), 1) AS p50, round(quantile_disc(duration_seconds, 0.95), 1) AS p95
     FROM ${withCharge('operations', 'NULL')} WHERE ${period} GROUP BY ALL`,
  );
  const keys = [...cells, 'action'];
  const pairs = [
    ['operations', 'operations'],
    ['failed', 'failed'],
    ['failed_attempts', 'failed_attempts'],
    ['duration_p50_seconds', 'p50'],
    ['duration_p95_seconds', 'p95'],
  ] as const;
  for (const [shown, figure] of pairs) {
    const texts = report.rows.map(row => row[shown] ?? '0');
    expect(texts.map(Number)).toEqual(figuresOf(report, keys, found, figure).map(Number));
  }
}

const inUtc = (column: string) => `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')`;

/** Every figure of a key that was ever used is what SQL makes of its uses; when it was revoked is told by the report alone. */
export async function expectKeys(ask: Ask, report: JsonReport, untilAt: string): Promise<void> {
  const used = report.rows.filter(row => row.last_used_at !== null);
  const ends = used.map(
    ({ account, key_id, gone_at }) => `('${account}', '${key_id}', '${gone_at ?? untilAt}')`,
  );
  const found = await ask(
    `SELECT account, last(key_name ORDER BY last_used_at) AS key_name, key_id, ${inUtc('any_value(key_created_at)')} AS created_at,
       ${inUtc('max(last_used_at)')} AS last_used_at, arg_max(last_used_from_addr, last_used_at) AS last_used_from_addr,
       round(greatest(0, epoch(any_value(end_at)::TIMESTAMP) - epoch(max(last_used_at))) / 86400, 1) AS idle_days,
       any_value(created_by_name) AS created_by, any_value(created_by_id) AS created_by_id
     FROM key_uses JOIN (VALUES ${ends.join()}) AS ends (account, key_id, end_at) USING (account, key_id)
     GROUP BY account, key_id`,
  );
  const sorted = (rows: readonly Cells[]) =>
    rows.toSorted((a, b) => `${a.account} ${a.key_id}`.localeCompare(`${b.account} ${b.key_id}`));
  // What is judged of a key is the report's alone.
  const judged = new Set(['stale', 'gone_at', 'verdict', 'reason', 'is_own']);
  const read = used.map(row => Object.fromEntries(Object.entries(row).filter(([key]) => !judged.has(key))));
  expect(sorted(found)).toEqual(sorted(read));
  const uses = await ask(
    `SELECT count(*) AS all, count(DISTINCT (account, key_id, first_used_at)) AS different FROM key_uses`,
  );
  expect(uses[0]?.all).toBe(uses[0]?.different);
}
