import type { Period } from '../cost/calendar/calendar.ts';
import type { StepUnit } from '../cost/calendar/step.ts';
import { dayMs } from '../resources/duration.ts';
import { PageProblem } from './page-problem.ts';

/** Steps of a page or of a file. */
const mostSteps = 400;

const unitMs: Readonly<Record<StepUnit, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: (365.25 / 12) * dayMs,
};

/** How many steps a period has, give or take one: to cut one of a thousand years would take long. */
export function countSteps(unit: StepUnit, { fromAt, untilAt }: Period): number {
  return Math.ceil((untilAt - fromAt) / unitMs[unit]);
}

/** @throws PageProblem when a period has more steps than are shown, before it is cut. */
export function refuseManySteps(unit: StepUnit, period: Period): void {
  const steps = countSteps(unit, period);
  if (steps <= mostSteps) return;
  const longer = unit === 'day' ? ['step: week', 'step: month'] : unit === 'week' ? ['step: month'] : [];
  throw new PageProblem(
    400,
    'This period is too long',
    `It has ${steps} ${unit}s, and ${mostSteps} at most are shown.`,
    [...longer, 'a shorter period'],
  );
}
