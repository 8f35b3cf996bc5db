import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { spreadRest } from '../ledger/even-rest.ts';
import { meterColumns } from '../meter-column.ts';

/** Curves that are kept at a time, of two kilobytes each. */
const mostCurves = 25_000;
const hoursOfDay = 24;

interface MeteredProjectRow {
  readonly metered_ref: number;
  readonly account: string;
  readonly project_id: string;
  readonly project_ref: number | null;
  /** The beginning of its first month. */
  readonly firstAt: number;
}

interface SpanRow {
  readonly firstAt: number | null;
  readonly settledAt: number | null;
}

/** Running totals of each metric, in the order of their names. */
type Curves = readonly Float64Array[];

interface MonthCurves {
  /** Of all months before it. */
  readonly before: readonly number[];
  /** At the midnights of the month. */
  readonly days: Curves;
}

/** Reads what the service metered: by the hour as long as hours are kept, then by the day, then by the month. */
export class MeteredUsageQuery implements MeteredLedger {
  readonly others: readonly UsageProject[];
  readonly #refs: ReadonlyMap<number, number>;
  readonly #statements;
  readonly #months = new Map<string, MonthCurves>();
  readonly #hours = new Map<string, Float64Array>();

  constructor(database: Database, accounts?: readonly string[]) {
    this.#statements = prepare(database);
    const rows = this.#statements.projects
      .all()
      .filter(({ account }) => accounts === undefined || accounts.includes(account));
    this.#refs = new Map(rows.map(row => [refOf(row), row.metered_ref]));
    this.others = rows.filter(({ project_ref }) => project_ref === null).map(toOther);
  }

  knownSpan(account: string): { readonly fromAt: number; readonly untilAt: number } | undefined {
    const { firstAt, settledAt } = this.#statements.span.get(account) ?? { firstAt: null, settledAt: null };
    if (firstAt === null || settledAt === null || firstAt >= settledAt) return undefined;
    return { fromAt: firstAt, untilAt: settledAt };
  }

  meteredUntil(project_ref: number, metric: MeterMetric, at: number): number {
    const metered_ref = this.#refs.get(project_ref);
    if (metered_ref === undefined) return 0;
    const column = meterMetrics.indexOf(metric);
    const month = monthStart(at);
    const curves = this.#month(metered_ref, month);
    const [before = 0, days] = [curves.before[column], curves.days[column]];
    const day = Math.floor((at - month) / dayMs);
    const [atDay = 0, atNext = 0] = [days?.[day], days?.[day + 1]];
    const inDay = at - month - day * dayMs;
    if (inDay === 0 || atNext === atDay) return before + atDay;
    const hours = this.#day(metered_ref, metric, month + day * dayMs, atNext - atDay);
    const hour = Math.floor(inDay / hourMs);
    const [atHour = 0, atNextHour = 0] = [hours[hour], hours[hour + 1]];
    return before + atDay + atHour + Math.floor(((atNextHour - atHour) * (inDay - hour * hourMs)) / hourMs);
  }

  /** All metrics at once: looking for rows is what takes long. */
  #month(metered_ref: number, month: number): MonthCurves {
    return lookUp(this.#months, `${metered_ref} ${month}`, () => {
      const [first, next] = daysOfMonth(month);
      const months = this.#statements.months.all(metered_ref, month);
      const days = this.#statements.days.all(metered_ref, first, next);
      const own = months.findLast(([start]) => start === month);
      const earlier = months.filter(row => row !== own);
      return {
        before: meterMetrics.map((_, index) => earlier.reduce((sum, row) => sum + (row[index + 1] ?? 0), 0)),
        days: meterMetrics.map((_, index) =>
          spreadRest(own?.[index + 1] ?? 0, toParts(days, index, first), next - first),
        ),
      };
    });
  }

  #day(metered_ref: number, metric: MeterMetric, dayAt: number, amount: number): Float64Array {
    return lookUp(this.#hours, `${metered_ref} ${metric} ${dayAt}`, () => {
      const hours = this.#statements.hours.get(metric)?.all(metered_ref, dayAt, dayAt + dayMs) ?? [];
      return spreadRest(amount, toParts(hours, 0, dayAt / hourMs), hoursOfDay);
    });
  }
}

/** Undefined where the service metered nothing. */
export function openMeteredUsage(
  database: Database,
  accounts?: readonly string[],
): MeteredLedger | undefined {
  const isMetered = database.prepare('SELECT 1 FROM metered_project LIMIT 1').get() !== undefined;
  return isMetered ? new MeteredUsageQuery(database, accounts) : undefined;
}

/** The beginning of a month, or the number of a day or an hour since 1970, and the amount of each metric. */
type AmountRow = readonly [slot: number, ...amounts: readonly (number | null)[]];

/** Amounts of a metric, by the number of the slot from the first on. */
function toParts(rows: readonly AmountRow[], index: number, first: number): ReadonlyMap<number, number> {
  return new Map(
    rows.flatMap(row => {
      const amount = row[index + 1];
      return amount === null || amount === undefined ? [] : [[row[0] - first, amount] as const];
    }),
  );
}

/** Numbers below 0 are nobody else's. */
function refOf({ project_ref, metered_ref }: MeteredProjectRow): number {
  return project_ref ?? -metered_ref;
}

/** How long it was there is not told: it counts for what is metered alone, and not as a project that was there. */
function toOther(row: MeteredProjectRow): UsageProject {
  const { account, project_id, firstAt } = row;
  return { project_ref: refOf(row), account, project_id, created_at: firstAt, gone_at: firstAt };
}

function lookUp<Value>(known: Map<string, Value>, key: string, read: () => Value): Value {
  const found = known.get(key) ?? read();
  if (known.size >= mostCurves) known.clear();
  known.set(key, found);
  return found;
}

function prepare(database: Database) {
  return {
    projects: database.prepare<[], MeteredProjectRow>(meteredProjects),
    span: database.prepare<[string], SpanRow>(span),
    months: database
      .prepare<[number, number], AmountRow>(
        `SELECT month_start, ${meterColumns} FROM metered_month WHERE metered_ref = ? AND month_start <= ?
         ORDER BY month_start`,
      )
      .raw(),
    days: database
      .prepare<[number, number, number], AmountRow>(
        `SELECT day, ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day >= ? AND day < ?`,
      )
      .raw(),
    hours: new Map(meterMetrics.map(metric => [metric, prepareHours(database, metric)])),
  };
}

/** A timeframe need not begin with its hour. */
function prepareHours(database: Database, metric: MeterMetric) {
  return database
    .prepare<[number, number, number], AmountRow>(
      `SELECT timeframe_start / ${hourMs} AS hour, sum(${metric}) FROM metered_timeframe
       WHERE metered_ref = ? AND granularity = 'hourly' AND timeframe_start >= ? AND timeframe_start < ?
         AND ${metric} IS NOT NULL GROUP BY hour`,
    )
    .raw();
}

const meteredProjects = `
  SELECT metered_ref, account, metered_project.project_id, project_ref,
    coalesce((SELECT min(month_start) FROM metered_month
      WHERE metered_month.metered_ref = metered_project.metered_ref), 0) AS firstAt
  FROM metered_project JOIN account USING (account_ref)
    LEFT JOIN project ON project.account_ref = account.account_ref AND project.project_id = metered_project.project_id
  ORDER BY metered_ref`;

// Months are kept for ever, and their timeframes tell from when in the first of them on there was a meter.
const span = `
  SELECT (SELECT max(settled_until_at) FROM meter_pass WHERE meter_pass.account_ref = account.account_ref) AS settledAt,
    (SELECT min(coalesce(
        (SELECT min(timeframe_start) FROM metered_timeframe
         WHERE metered_timeframe.metered_ref = metered_project.metered_ref AND granularity = 'monthly'
           AND timeframe_start >= metered_month.month_start),
        metered_month.month_start))
     FROM metered_project JOIN metered_month USING (metered_ref)
     WHERE metered_project.account_ref = account.account_ref
       AND month_start = (SELECT min(month_start) FROM metered_month AS other
         WHERE other.metered_ref = metered_project.metered_ref)) AS firstAt
  FROM account WHERE account = ?`;
