import { dayMs, hourMs, minuteMs, secondMs } from '../../resources/duration.ts';
import { type PlanTerms, type PollPlan, planPolls } from './poll-plan.ts';

/** Whether a request budget is enough, and what to change where it is not. */
export interface BudgetAdvice {
  /** The list of projects is polled as scheduled. */
  readonly listsInTime: boolean;
  /** Every idle project is polled again as often as it should be. */
  readonly idleInTime: boolean;
  /** Requests a minute: the least budget with which both are so. */
  readonly enoughPerMinute: number;
  /** Requests a minute: the least budget with which busy projects are polled as often as the list, too. */
  readonly amplePerMinute: number;
  /** Settings for which the present budget is enough; empty where it is enough as it is, absent where nothing would do. */
  readonly affordable?: {
    /** A cron expression. */
    readonly schedule?: string;
    readonly idleRefreshMs?: number;
  };
}

/** Absorbs floating-point dust. */
const dust = 1e-6;

export function adviseBudget(terms: PlanTerms): BudgetAdvice {
  const plan = planPolls(terms);
  const affordable = findAffordable(terms, plan);
  return {
    listsInTime: areListsInTime(plan, terms),
    idleInTime: isIdleInTime(plan, terms),
    enoughPerMinute: leastBudget(terms, keepsPromises),
    amplePerMinute: leastBudget(terms, (each, given) => keepsPromises(each, given) && allowsAll(each)),
    ...(affordable && { affordable }),
  };
}

function areListsInTime({ listPollIntervalMs }: PollPlan, { scheduleMs }: PlanTerms): boolean {
  return listPollIntervalMs <= scheduleMs * (1 + dust);
}

function isIdleInTime({ idleIntervalMs }: PollPlan, { idleRefreshMs }: PlanTerms): boolean {
  return idleIntervalMs <= idleRefreshMs * (1 + dust);
}

/** Whether what the configuration says happens; how often busy projects are polled is not among it. */
function keepsPromises(plan: PollPlan, terms: PlanTerms): boolean {
  return areListsInTime(plan, terms) && isIdleInTime(plan, terms);
}

function allowsAll({ allowedPerMinute, wantedPerMinute }: PollPlan): boolean {
  return allowedPerMinute >= wantedPerMinute * (1 - dust);
}

/** More is never worse, so that the least budget can be closed in on. */
function leastBudget(terms: PlanTerms, isEnough: (plan: PollPlan, terms: PlanTerms) => boolean): number {
  const suffices = (requestsPerMinute: number) => {
    const given = { ...terms, requestsPerMinute };
    return isEnough(planPolls(given), given);
  };
  let most = 1;
  while (!suffices(most)) most *= 2;
  let tooLittle = Math.floor(most / 2);
  while (most - tooLittle > 1) {
    const middle = Math.floor((tooLittle + most) / 2);
    if (suffices(middle)) most = middle;
    else tooLittle = middle;
  }
  return most;
}

function findAffordable(terms: PlanTerms, plan: PollPlan): BudgetAdvice['affordable'] {
  const slower = areListsInTime(plan, terms) ? undefined : slowerSchedule(plan.listPollIntervalMs);
  const given = { ...terms, scheduleMs: slower?.periodMs ?? terms.scheduleMs };
  const then = planPolls(given);
  if (!areListsInTime(then, given)) return undefined;
  const schedule = slower && { schedule: slower.expression };
  if (isIdleInTime(then, given)) return { ...schedule };
  return Number.isFinite(then.idleIntervalMs)
    ? { ...schedule, idleRefreshMs: roundUp(then.idleIntervalMs) }
    : undefined;
}

/** Steps that an hour can be divided into without a rest. */
const steps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];
const everyStep = (step: number) => (step === 1 ? '*' : `*/${step}`);
const regularSchedules = [
  ...steps.map(step => ({ periodMs: step * secondMs, expression: `${everyStep(step)} * * * * *` })),
  ...steps.map(step => ({ periodMs: step * minuteMs, expression: `0 ${everyStep(step)} * * * *` })),
  { periodMs: hourMs, expression: '0 0 * * * *' },
];

function slowerSchedule(leastMs: number) {
  return regularSchedules.find(({ periodMs }) => periodMs >= leastMs);
}

/** Rounds up to a duration a person would write: whole seconds, from a minute on whole minutes, from a day on whole hours. */
function roundUp(durationMs: number): number {
  const unitMs = durationMs < minuteMs ? secondMs : durationMs < dayMs ? minuteMs : hourMs;
  return Math.ceil(durationMs / unitMs) * unitMs;
}
