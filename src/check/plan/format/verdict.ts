import { renderDuration } from '../../../resources/duration.ts';
import { paceWithin } from '../../../resources/request-budget.ts';
import type { AccountPlan } from '../account-plan.ts';
import { renderCount } from './count.ts';

/** Sentences on whether the budget is enough, with the settings to write where it is not. */
export function renderVerdict(planned: AccountPlan): string {
  const { plan, terms, advice, sharers } = planned;
  const late = describeLateness(planned);
  if (late !== undefined) return `The budget is too small: ${late}. Write ${renderRemedy(planned)}.`;
  const spare = Math.max(0, paceWithin(terms.requestsPerMinute).perMinute - plan.wantedPerMinute);
  if (terms.requestsPerMinute >= advice.amplePerMinute) {
    return `The budget is enough, with ${renderCount(spare)} requests a minute to spare.`;
  }
  return [
    `The budget is enough for the list and for idle projects. Busy projects are read ${renderPace(plan.busyAgeMs.p99)}`,
    `instead of ${renderPace(terms.scheduleMs)}: as often as the list with requests_per_minute: ${advice.amplePerMinute * sharers}.`,
  ].join(' ');
}

/** A clause on the polls that come later than the configuration asks; undefined where none does. */
export function describeLateness({ plan, terms, advice }: AccountPlan): string | undefined {
  const instead = (what: string, isMs: number, wantedMs: number, key: string) =>
    `${what} ${renderPace(isMs)} instead of ${renderPace(wantedMs)} (${key})`;
  const parts = [
    ...(advice.listsInTime
      ? []
      : [
          instead(
            'the list of projects is read',
            plan.listPollIntervalMs,
            terms.scheduleMs,
            'collect.schedule',
          ),
        ]),
    ...(advice.idleInTime
      ? []
      : [
          instead('idle projects are read', plan.idleIntervalMs, terms.idleRefreshMs, 'collect.idle_refresh'),
        ]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** The settings to write so that nothing is late, as the object of "write". */
export function renderRemedy({ advice, sharers }: AccountPlan): string {
  const { enoughPerMinute, affordable } = advice;
  const more = `requests_per_minute: ${enoughPerMinute * sharers} or more`;
  if (affordable === undefined) return more;
  const { schedule, idleRefreshMs } = affordable;
  const settings = [
    ...(schedule === undefined ? [] : [`collect.schedule: "${schedule}"`]),
    ...(idleRefreshMs === undefined ? [] : [`collect.idle_refresh: ${renderDuration(idleRefreshMs)}`]),
  ];
  return `${more}, or be content with ${settings.join(' and ')}`;
}

function renderPace(durationMs: number): string {
  return Number.isFinite(durationMs) ? `every ${renderDuration(durationMs)}` : 'never';
}
