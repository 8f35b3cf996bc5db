import { hourMs } from '../../src/resources/duration.ts';
import type { Granularity, MeterAmounts } from '../../src/resources/meter.ts';
import { monthStart } from '../../src/resources/utc-month.ts';
import { instant, type WireItem } from './reading-builder.ts';

/** Consumption of a project by the hour, as it truly is. */
export interface MeteredProject {
  readonly project_id: string;
  /** The first hour. */
  readonly fromAt: number;
  readonly hours: readonly MeterAmounts[];
  /** When another plan began: hours, days and months that hold the instant are told in two parts. */
  readonly planChangesAt?: number;
}

const dayHours = 24;

/** How the meter is read: by what, from when, until when. */
interface MeterQuestion {
  readonly granularity: Granularity;
  readonly fromAt: number;
  readonly untilAt: number;
}

/**
 * Answers as the service's meter does at an instant. Amounts of an hour trickle in while it lasts and for `lagHours` after
 * it.
 */
export function answerMeter(
  projects: readonly MeteredProject[],
  question: MeterQuestion,
  now: number,
  lagHours: number,
): readonly WireItem[] {
  return projects.map(project => {
    const { planChangesAt = Number.POSITIVE_INFINITY } = project;
    const plans = [
      { id: 'first', fromAt: Number.NEGATIVE_INFINITY, untilAt: planChangesAt },
      { id: 'second', fromAt: planChangesAt, untilAt: Number.POSITIVE_INFINITY },
    ];
    const periods = plans.map(plan => ({
      period_id: plan.id,
      consumption: tellPeriod(project, plan, question, now, lagHours),
    }));
    return {
      project_id: project.project_id,
      periods: periods.filter(({ consumption }) => consumption.length > 0),
    };
  });
}

interface Span {
  readonly fromAt: number;
  readonly untilAt: number;
}

function tellPeriod(
  project: MeteredProject,
  plan: Span,
  { granularity, fromAt, untilAt }: MeterQuestion,
  now: number,
  lagHours: number,
): readonly WireItem[] {
  const cells = new Map<number, Record<string, number>>();
  for (const [index, amounts] of project.hours.entries()) {
    const at = project.fromAt + index * hourMs;
    const start = cellStart(granularity, at);
    if (at > now || at < plan.fromAt || at >= plan.untilAt) continue;
    if (cellEnd(granularity, start) <= fromAt || start >= untilAt) continue;
    const cell = cells.get(start) ?? {};
    cells.set(start, cell);
    const share = Math.min(1, (now - at) / ((1 + lagHours) * hourMs));
    for (const [metric, amount] of Object.entries(amounts)) {
      cell[metric] = (cell[metric] ?? 0) + Math.floor(amount * share);
    }
  }
  return [...cells].map(([start, cell]) => ({
    timeframe_start: instant(start),
    timeframe_end: instant(cellEnd(granularity, start)),
    metrics: Object.entries(cell).map(([metric_name, value]) => ({ metric_name, value })),
  }));
}

function cellStart(granularity: Granularity, at: number): number {
  if (granularity === 'monthly') return monthStart(at);
  const cellMs = granularity === 'daily' ? dayHours * hourMs : hourMs;
  return Math.floor(at / cellMs) * cellMs;
}

function cellEnd(granularity: Granularity, start: number): number {
  if (granularity === 'monthly') return monthStart(start, 1);
  return start + (granularity === 'daily' ? dayHours * hourMs : hourMs);
}

/** What the hours came to, by metric. */
export function sumOfHours(hours: readonly MeterAmounts[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const [metric, amount] of hours.flatMap(Object.entries)) sum[metric] = (sum[metric] ?? 0) + amount;
  return sum;
}
