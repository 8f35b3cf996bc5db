import type { Database } from 'better-sqlite3';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { meterMetrics } from '../../resources/meter.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { daysOfMonth, monthStart } from '../../resources/utc-month.ts';
import { statementsOf } from '../file/statement.ts';
import { spreadRest } from '../ledger/even-rest.ts';
import { meterColumns } from '../meter-column.ts';
import { livedWithin, type MeteredLife, toldTimeOf } from './meter-coverage-query.ts';

/** Projects' months and days that are kept at a time, of a few kilobytes each. */
const mostKept = 25_000;
/** Days since 1970 that there is a number for. */
const mostDays = 65_536;
const hoursOfDay = 24;

interface MeteredProjectRow extends MeteredLife {
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

/** Running totals of a metric, by its place among them; each is worked out when it is first asked for. */
type CurveOf = (column: number) => Curve;

interface Curve {
  /** Amount before the first slot. */
  readonly before: number;
  /** At the beginnings of the slots, and at the end of the last. */
  readonly totals: Float64Array;
}

/**
 * Reads what the service metered: by the hour as long as hours are kept, then by the day, then by the month. Undefined where it
 * metered nothing.
 */
export function openMeteredUsage(database: Database, accounts: readonly string[]): MeteredLedger | undefined {
  const sql = statementsOf(database);
  const all = sql.all<[], MeteredProjectRow>`${meteredProjects}`();
  if (all.length === 0) return undefined;
  const rows = all.filter(({ account }) => accounts.includes(account));
  const projects = new Map(rows.map(row => [refOf(row), row]));
  const told = toldTimeOf(database);
  const readSpan = sql.one<[string], SpanRow>`${span}`;
  const readMonths = sql.tuples<[number, number], AmountRow>`
    SELECT month_start, ${meterColumns} FROM metered_month WHERE metered_ref = ? AND month_start <= ?
    ORDER BY month_start`;
  const readDays = sql.tuples<[number, number, number], AmountRow>`
    SELECT day, ${meterColumns} FROM metered_day WHERE metered_ref = ? AND day >= ? AND day < ?`;
  // A timeframe need not begin with its hour.
  const readHours = sql.tuples<[number, number, number], AmountRow>`
    SELECT timeframe_start / ${hourMs}, ${meterColumns} FROM metered_timeframe
    WHERE metered_ref = ? AND granularity = 'hourly' AND timeframe_start >= ? AND timeframe_start < ?`;
  /** By the number of the project and of the day on which the month, or the day, begins. */
  const knownMonths = new Map<number, CurveOf>();
  const knownDays = new Map<number, CurveOf>();

  /** All metrics at once: looking for rows is what takes long. */
  function readMonth(project: MeteredProjectRow, month: number): CurveOf {
    const { metered_ref } = project;
    return lookUp(knownMonths, keyOf(metered_ref, month), () => {
      const [first, next] = daysOfMonth(month);
      const slots = { fromAt: month, slotMs: dayMs, count: next - first };
      const open = told.untold(project, slots, ['daily', 'hourly']);
      const months = readMonths(metered_ref, month);
      const days = readDays(metered_ref, first, next);
      const own = months.findLast(([start]) => start === month);
      const earlier = months.filter(row => row !== own);
      return rememberCurves(column => ({
        before: earlier.reduce((sum, row) => sum + (row[column + 1] ?? 0), 0),
        totals: spreadRest(own?.[column + 1] ?? 0, toParts(days, column, first), slots, open),
      }));
    });
  }

  function readDay(project: MeteredProjectRow, dayAt: number): CurveOf {
    const { metered_ref } = project;
    return lookUp(knownDays, keyOf(metered_ref, dayAt), () => {
      const slots = { fromAt: dayAt, slotMs: hourMs, count: hoursOfDay };
      const open = told.untold(project, slots, ['hourly']);
      const hours = readHours(metered_ref, dayAt, dayAt + dayMs);
      const month = monthStart(dayAt);
      const day = (dayAt - month) / dayMs;
      return rememberCurves(column => {
        const { totals } = readMonth(project, month)(column);
        const amount = (totals[day + 1] ?? 0) - (totals[day] ?? 0);
        return { before: 0, totals: spreadRest(amount, toParts(hours, column, dayAt / hourMs), slots, open) };
      });
    });
  }

  return {
    others: rows.filter(({ project_ref }) => project_ref === null).map(toOther),
    knownSpan(account) {
      const { firstAt, settledAt } = readSpan(account) ?? { firstAt: null, settledAt: null };
      if (firstAt === null || settledAt === null || firstAt >= settledAt) return undefined;
      return { fromAt: firstAt, untilAt: settledAt };
    },
    meteredUntil(project_ref, metric, at) {
      const project = projects.get(project_ref);
      if (project === undefined) return 0;
      const column = meterMetrics.indexOf(metric);
      const month = monthStart(at);
      const { before, totals: days } = readMonth(project, month)(column);
      const day = Math.floor((at - month) / dayMs);
      const [atDay = 0, atNext = 0] = [days[day], days[day + 1]];
      const inDay = at - month - day * dayMs;
      if (inDay === 0 || atNext === atDay) return before + atDay;
      const { totals: hours } = readDay(project, month + day * dayMs)(column);
      const hour = Math.floor(inDay / hourMs);
      const [atHour = 0, atNextHour = 0] = [hours[hour], hours[hour + 1]];
      const hourAt = month + day * dayMs + hour * hourMs;
      return before + atDay + atHour + usedWithin(atNextHour - atHour, project, hourAt, at);
    },
  };
}

/** The use of an hour before an instant within it: a project used nothing before it was made, nor after it was gone. */
function usedWithin(amount: number, life: MeteredLife, hourAt: number, at: number): number {
  const { fromAt, untilAt } = livedWithin(life, { fromAt: hourAt, untilAt: hourAt + hourMs });
  return Math.floor((amount * Math.min(Math.max(0, at - fromAt), untilAt - fromAt)) / (untilAt - fromAt));
}

function keyOf(metered_ref: number, dayAt: number): number {
  return metered_ref * mostDays + dayAt / dayMs;
}

function rememberCurves(make: CurveOf): CurveOf {
  const known: Curve[] = [];
  return column => {
    const curve = known[column] ?? make(column);
    known[column] = curve;
    return curve;
  };
}

/** The beginning of a month, or the number of a day or an hour since 1970, and the amount of each metric. */
type AmountRow = readonly [slot: number, ...amounts: readonly (number | null)[]];

/** Amounts of a metric, by the number of the slot from the first on; several rows may be of one slot. */
function toParts(rows: readonly AmountRow[], column: number, first: number): ReadonlyMap<number, number> {
  const parts = new Map<number, number>();
  for (const row of rows) {
    const amount = row[column + 1];
    if (amount === null || amount === undefined) continue;
    const slot = row[0] - first;
    parts.set(slot, (parts.get(slot) ?? 0) + amount);
  }
  return parts;
}

/** Numbers below 0 are of no other project. */
function refOf({ project_ref, metered_ref }: MeteredProjectRow): number {
  return project_ref ?? -metered_ref;
}

/** How long it was there is not told: it counts for what is metered alone, and not as a project that was there. */
function toOther(row: MeteredProjectRow): UsageProject {
  const { account, project_id, firstAt } = row;
  return { project_ref: refOf(row), account, project_id, created_at: firstAt, gone_at: firstAt };
}

function lookUp<Value>(known: Map<number, Value>, key: number, read: () => Value): Value {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const found = read();
  if (known.size >= mostKept) known.clear();
  known.set(key, found);
  return found;
}

const meteredProjects = `
  SELECT metered_ref, metered_project.account_ref, account, metered_project.project_id, project_ref, created_at, gone_at,
    coalesce((SELECT min(month_start) FROM metered_month
      WHERE metered_month.metered_ref = metered_project.metered_ref), 0) AS firstAt
  FROM metered_project JOIN account USING (account_ref)
    LEFT JOIN project ON project.account_ref = account.account_ref AND project.project_id = metered_project.project_id
  ORDER BY metered_ref`;

// What was not told has not stopped growing. Months are kept for ever, and their timeframes tell from when in the first of them on
// there was a meter.
const span = `
  SELECT (SELECT max(min(settled_until_at, told_until_at)) FROM meter_pass
      WHERE meter_pass.account_ref = account.account_ref) AS settledAt,
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
