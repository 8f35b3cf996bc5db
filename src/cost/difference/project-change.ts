import type { EndpointPast } from '../../resources/endpoint-past.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { sum } from '../finding/statistic.ts';
import { shareWhole } from '../money/whole-share.ts';
import { type ComparedPeriods, estimateUse } from './compared-past.ts';
import { explainEndpoint } from './endpoint-change.ts';
import { isLifeKnown, leastLife, lifeIn, ratioOf } from './life-part.ts';
import type { UsePart } from './use-part.ts';

/** What a project used in both periods, in whole CU-milliseconds. */
export interface ProjectUse {
  readonly project: UsageProject;
  readonly before: number;
  readonly after: number;
  /** Undefined where what they did is no longer kept. */
  readonly endpoints: readonly EndpointPast[] | undefined;
}

/** More use of a project than in the first period, and what it consists of. */
export interface ProjectChange {
  /** What the difference of the periods' lengths alone makes. */
  readonly daysCuMs: number;
  readonly parts: readonly UsePart[];
}

/** A project that is new in a period or gone from it, as a whole; undefined for one that stayed. */
export function explainArrival(
  { project, before, after }: Omit<ProjectUse, 'endpoints'>,
  periods: ComparedPeriods,
): UsePart | undefined {
  const life = lifeOf(project);
  const missed = [periods.before, periods.after].find(period => lifeIn(life, period) < leastLife);
  if (missed === undefined) return undefined;
  const whole = { cuMs: after - before, children: [] };
  // The second period may be the earlier one.
  return life.fromAt > missed.fromAt
    ? { ...whole, kind: 'new_project', sinceAt: life.fromAt }
    : { ...whole, kind: 'gone_project', endedAt: life.untilAt };
}

/** Explains the use of a project that stayed. The parts and the days add up to all that it used more. */
export function explainProject(
  { project, before, after, endpoints }: ProjectUse,
  periods: ComparedPeriods,
): ProjectChange {
  const life = lifeOf(project);
  const daysCuMs = Math.round(before * ratioOf(periods)) - before;
  const lifeRatio = lifeIn(life, periods.after) / lifeIn(life, periods.before);
  const expected = Math.round(before * ratioOf(periods) * lifeRatio);
  const lifetime = expected - before - daysCuMs;
  // The second period may be the earlier one.
  const shorter = lifetime < 0 ? periods.after : periods.before;
  const dated = life.fromAt > shorter.fromAt ? { sinceAt: life.fromAt } : { endedAt: life.untilAt };
  const lived: UsePart[] =
    lifetime === 0 ? [] : [{ kind: 'lifetime', cuMs: lifetime, ...dated, children: [] }];
  const uses = endpoints && shareByEndpoint(endpoints, { before, after, expected }, periods);
  const own: readonly UsePart[] =
    uses?.flatMap(use => explainEndpoint(use, periods)) ?? unexplained(after - expected);
  return { daysCuMs, parts: [...lived, ...own] };
}

function lifeOf(project: UsageProject) {
  const { created_at, gone_at } = isLifeKnown(project) ? project : {};
  return { fromAt: created_at ?? Number.NEGATIVE_INFINITY, untilAt: gone_at ?? Number.POSITIVE_INFINITY };
}

function unexplained(cuMs: number): UsePart[] {
  return cuMs === 0 ? [] : [{ kind: 'use', cuMs, children: [] }];
}

/** Undefined where the project used something in a period in which no endpoint is known to have been awake. */
function shareByEndpoint(
  endpoints: readonly EndpointPast[],
  { before, after, expected }: { readonly before: number; readonly after: number; readonly expected: number },
  periods: ComparedPeriods,
) {
  const weightsBefore = endpoints.map(endpoint => Math.round(estimateUse(endpoint, periods.before)));
  const weightsAfter = endpoints.map(endpoint => Math.round(estimateUse(endpoint, periods.after)));
  if ((before > 0 && sum(weightsBefore) === 0) || (after > 0 && sum(weightsAfter) === 0)) return undefined;
  const shared = {
    before: shareWhole(before, weightsBefore),
    after: shareWhole(after, weightsAfter),
    expected: shareWhole(expected, weightsBefore),
  };
  return endpoints.map((endpoint, index) => ({
    endpoint,
    before: shared.before[index] ?? 0,
    after: shared.after[index] ?? 0,
    expected: shared.expected[index] ?? 0,
  }));
}
