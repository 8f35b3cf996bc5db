import type { EndpointPast } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { livesOf, type UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { shareWhole } from '../money/whole-share.ts';
import type { UsePart } from './cause.ts';
import {
  type ComparedPeriods,
  type ComparedUse,
  findArrival,
  lifeIn,
  ratioOf,
  sharedMs,
} from './compared-period.ts';
import { explainEndpoint } from './endpoint-change.ts';

/** What a project used in both periods, in whole CU-milliseconds. */
interface ProjectUse {
  readonly project: UsageProject;
  readonly before: number;
  readonly after: number;
  /** The past of its endpoints, which takes a while to read; undefined where it is no longer kept. */
  readonly endpoints: () => readonly EndpointPast[] | undefined;
}

/** More use of a project than in the first period, and what it consists of. */
interface ProjectChange {
  /** What the difference of the periods' lengths alone makes. */
  readonly daysCuMs: number;
  /** All other causes, worked out when they are asked for: of a large fleet, only the largest changes are looked into. */
  readonly parts: () => readonly UsePart[];
}

/** What became of a project that existed for little of one of the periods; undefined for one that stayed. */
export function findProjectArrival(project: UsageProject, periods: ComparedPeriods, used: ComparedUse) {
  return findArrival(lifeOf(project), periods, used);
}

/** Explains the use of a project that stayed. The parts and the days add up to all that it used more. */
export function explainProject(use: ProjectUse, periods: ComparedPeriods): ProjectChange {
  const daysCuMs = Math.round(use.before * ratioOf(periods)) - use.before;
  return { daysCuMs, parts: () => explainParts(use, daysCuMs, periods) };
}

function explainParts(
  { project, before, after, endpoints: readEndpoints }: ProjectUse,
  daysCuMs: number,
  periods: ComparedPeriods,
): readonly UsePart[] {
  const life = lifeOf(project);
  const lifeRatio = lifeIn(life, periods.after) / lifeIn(life, periods.before);
  const expected = Math.round(before * ratioOf(periods) * lifeRatio);
  const lifetime = expected - before - daysCuMs;
  // The second period may be the earlier one.
  const shorter = lifetime < 0 ? periods.after : periods.before;
  const dated = life.fromAt > shorter.fromAt ? { sinceAt: life.fromAt } : { endedAt: life.untilAt };
  const lived: UsePart[] =
    lifetime === 0 ? [] : [{ kind: 'lifetime', cuMs: lifetime, ...dated, children: [] }];
  const endpoints = readEndpoints();
  const uses = endpoints && shareByEndpoint(endpoints, { before, after, expected }, periods);
  const own: readonly UsePart[] =
    uses?.flatMap(use => explainEndpoint(use, periods)) ?? unexplained(after - expected);
  return [...lived, ...own];
}

/** From the first creation of a project with its id to the end of the last. */
function lifeOf(project: UsageProject): Period {
  const [{ created_at } = project] = livesOf(project);
  const { gone_at } = project;
  // A project that nothing but the meter tells of is made and gone at once: how long it was there is not known.
  const isKnown = created_at === undefined || created_at !== gone_at;
  return {
    fromAt: (isKnown ? created_at : undefined) ?? Number.NEGATIVE_INFINITY,
    untilAt: (isKnown ? gone_at : undefined) ?? Number.POSITIVE_INFINITY,
  };
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
  if ((before > 0 && sumOf(weightsBefore) === 0) || (after > 0 && sumOf(weightsAfter) === 0))
    return undefined;
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

/** CU-milliseconds that an endpoint probably used in a period: the time awake at the middle of its limits. */
function estimateUse({ past, sizes }: EndpointPast, period: Period): number {
  const dated = sizes.map((size, index) => {
    const fromAt = index === 0 ? Number.NEGATIVE_INFINITY : size.fromAt;
    const untilAt = sizes[index + 1]?.fromAt ?? Number.POSITIVE_INFINITY;
    return { cu: (size.minCu + size.maxCu) / 2, inForce: clip({ fromAt, untilAt }, period) };
  });
  let used = 0;
  for (const span of past.awake) for (const { cu, inForce } of dated) used += cu * sharedMs(span, inForce);
  return used;
}
