import { cutIntoSteps } from '../../../cost/calendar/step.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import { dayMs } from '../../../resources/duration.ts';
import { writeInstant, writeStep } from '../../answer-field.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { readRows, readTotals } from '../../report-row.ts';
import type { Range } from './project-range.ts';
import type { DayAnswer, DaysAnswer } from './project-schema.ts';

/** The fewest days that a range shows: a day alone tells nothing. */
const leastDays = 30;

/** The options of `report usage` and `report cost` of a project by day. */
export function askDailyUse(
  { usage }: Pick<ConsoleConfig, 'usage'>,
  { account, project_id }: { readonly account: string; readonly project_id: string },
  range: Range,
): ReportOptions {
  return { period: daysOf(range, usage.timezone), project: `${account}/${project_id}`, step: 'day' };
}

/** Use and cost of a project by day, as the two reports have it. */
export function writeDailyUse(
  { usage, cost }: { readonly usage?: MadeReport | undefined; readonly cost?: MadeReport | undefined },
  pending: readonly string[],
): DaysAnswer {
  const ready = [usage, cost].filter(report => report !== undefined);
  const period = ready[0]?.period;
  return {
    period: period
      ? {
          from: writeInstant(period.fromAt),
          until: writeInstant(period.untilAt),
          timezone: period.timezone,
          known_until: writeInstant(ready[0]?.generatedAt ?? period.untilAt),
        }
      : null,
    steps: period === undefined ? [] : daysIn(period).map(writeStep),
    currency: cost?.currency ?? null,
    days: joinDays(usage, cost),
    total: {
      compute_hours: (usage && readTotals<'usage'>(usage)?.compute_hours) ?? null,
      cost: (cost && readTotals<'cost'>(cost)?.cost) ?? null,
    },
    pending: [...pending],
    partial: ready.some(({ partial }) => partial),
    notes: [...new Set(ready.flatMap(({ notes }) => notes))],
  };
}

/** Whole days, the last one that of its end, as a report is asked for them. */
function daysOf({ fromAt, untilAt }: Range, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const beginAt = Math.min(fromAt, untilAt - (leastDays - 1) * dayMs);
  const last = format.format(untilAt);
  const next = new Date(Date.parse(`${last}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
  return `${format.format(beginAt)}..${next}`;
}

function daysIn({ fromAt, untilAt, timezone: zone }: MadeReport['period']) {
  return cutIntoSteps('day', { fromAt, untilAt, zone, billedStretch: { fromAt, untilAt } });
}

function joinDays(usage: MadeReport | undefined, cost: MadeReport | undefined): DayAnswer[] {
  const byDay = <Row extends ReadRow<'usage'> | ReadRow<'cost'>>(rows: readonly Row[]) =>
    new Map(rows.map(row => [row.step ?? '', row]));
  const uses = byDay(usage ? readRows<'usage'>(usage) : []);
  const costs = byDay(cost ? readRows<'cost'>(cost) : []);
  return [...new Set([...uses.keys(), ...costs.keys()])].sort().map(day => ({
    day,
    compute_hours: (uses.has(day) ? uses.get(day)?.compute_hours : costs.get(day)?.used_hours) ?? null,
    awake_hours: uses.get(day)?.awake_hours ?? null,
    starts: uses.get(day)?.starts ?? null,
    cost: costs.get(day)?.cost ?? null,
    cost_missing: costs.get(day)?.missing.cost ?? null,
  }));
}
