import type { ChartStep } from './chart.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A date of an answer as people read it: `Sat 21 Nov`. */
export function dayName(date: string): string {
  return dayFormat.format(Date.parse(date)).replace(',', '');
}

/** A date without the day of its week: `21 Nov`. */
export function shortDay(date: string): string {
  return shortFormat.format(Date.parse(date));
}

/** A step of an answer. */
export interface WrittenStep {
  /** Its first day, or its month. */
  readonly label: string;
  readonly from: string;
  readonly until: string;
}

export type StepUnit = 'day' | 'week' | 'month';

const runningNames = { day: 'today', week: 'this week', month: 'this month' } as const;

/**
 * Steps of an answer as columns of a chart.
 *
 * @param knownUntilAt when figures end: the step that it is in is not over, and those after it are to come.
 */
export function chartSteps(
  steps: readonly WrittenStep[],
  unit: StepUnit,
  knownUntilAt: number,
  linkOf?: (step: WrittenStep) => string,
): readonly ChartStep[] {
  return steps.map(step => {
    const [fromAt, untilAt] = [Date.parse(step.from), Date.parse(step.until)];
    const state = fromAt >= knownUntilAt ? 'expected' : untilAt > knownUntilAt ? 'running' : undefined;
    return {
      name: nameOf(step.label, unit),
      tick: state === 'running' ? runningNames[unit] : tickOf(step.label, unit),
      ...{ fromAt, untilAt },
      ...(state !== undefined && { state }),
      ...(linkOf !== undefined && state !== 'expected' && { href: linkOf(step) }),
    };
  });
}

function nameOf(label: string, unit: StepUnit): string {
  if (unit === 'month') return monthFormat.format(Date.parse(`${label}-01`));
  return unit === 'week' ? `week from ${shortDay(label)}` : dayName(label);
}

function tickOf(label: string, unit: StepUnit): string {
  return unit === 'month' ? monthFormat.format(Date.parse(`${label}-01`)) : shortDay(label);
}
