import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { type Finding, type FindingKind, findingKinds } from '../../resources/finding.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import { awakeUnused } from './awake-unused.ts';
import type { Recommendation } from './detector.ts';
import { floorSize } from './floor-size.ts';
import { idleTail } from './idle-tail.ts';
import { longerThanNeeded } from './longer-than-needed.ts';
import { neverSuspends } from './never-suspends.ts';
import { monthHours, monthHoursOf, roundHours, spanHoursOf } from './spared-use.ts';
import { wokenByChecks } from './woken-by-checks.ts';
import { wokenOnPeriod } from './woken-on-period.ts';

export interface FindingOptions {
  /** Findings that save less in 30 days are left out; 1 by default. */
  readonly minimumComputeHours?: number;
  /** No shorter auto-suspend delay is advised, in milliseconds; a minute by default. */
  readonly smallestDelayMs?: number;
  /** Whether findings of a kind are not wanted; those of the others are as if it were not there. */
  readonly isIgnored?: (kind: FindingKind) => boolean;
}

/** Compute hours in 30 days. */
const leastHours = 1;
/** A shorter history is too little for findings. */
const leastKnownMs = 3 * dayMs;
/** A finding is left out where larger ones already save more than the rest of it. */
const leastOwnPart = 0.25;
/** Sums are rounded by less than this leaves. */
const roundedPart = 0.999;

/** Where one of these finds something, nobody uses the endpoint, so advice on its sleep between uses is pointless. */
const unusedDetectors = [awakeUnused, wokenByChecks];
const useDetectors = [neverSuspends, wokenOnPeriod, idleTail, longerThanNeeded, floorSize];

/**
 * Finds the reasons why an endpoint uses compute that it might not need, the largest saving first. Empty while less
 * than three days of its history are known, or its size is not.
 */
export function findFindings(
  past: EndpointHistory,
  {
    minimumComputeHours = leastHours,
    smallestDelayMs = minuteMs,
    isIgnored = () => false,
  }: FindingOptions = {},
): Finding[] {
  if (lengthMs(past) < leastKnownMs || past.minCu === undefined) return [];
  const { usedCuMs = Number.POSITIVE_INFINITY } = past;
  if (isTooLittle(monthHours(past, usedCuMs / hourMs), { minimumComputeHours })) return [];
  if (awakeMs(past) === 0) return [];
  const limit = { smallestDelayMs };
  const unused = unusedDetectors.flatMap(detect => detect(past, limit) ?? []).slice(0, 1);
  const recommendations =
    unused.length > 0 ? unused : useDetectors.flatMap(detect => detect(past, limit) ?? []);
  const wanted = recommendations.filter(({ kind }) => !isIgnored(kind));
  return setOff(past, wanted).filter(
    ({ computeHoursPerMonth }) => computeHoursPerMonth > 0 && computeHoursPerMonth >= minimumComputeHours,
  );
}

/** Whether something that uses so many compute hours in 30 days has no finding that is large enough. */
export function isTooLittle(
  computeHours: number,
  { minimumComputeHours = leastHours }: Pick<FindingOptions, 'minimumComputeHours'>,
): boolean {
  return computeHours < roundedPart * minimumComputeHours;
}

/** Counts no saving twice: each recommendation spares its part of the awake time that larger ones leave. */
function setOff(past: EndpointHistory, recommendations: readonly Recommendation[]): Finding[] {
  const { account, project_id, endpoint_id, project_name, branch_id } = past;
  const spanHours = spanHoursOf(past);
  const hoursOf = ({ spared }: Pick<Recommendation, 'spared'>, left: readonly number[]) =>
    monthHoursOf(past, spared, left);
  const largestFirst = [...recommendations].sort(
    (one, other) =>
      hoursOf(other, spanHours) - hoursOf(one, spanHours) ||
      findingKinds.indexOf(one.kind) - findingKinds.indexOf(other.kind),
  );
  let left = spanHours;
  let waiting = past.awake.map(() => 0);
  return largestFirst.flatMap(recommendation => {
    const { spared: alone, isOfWaiting = false, ...said } = recommendation;
    const spared = isOfWaiting ? alone.map((part, index) => beyond(part, waiting[index] ?? 0)) : alone;
    const computeHoursPerMonth = hoursOf({ spared }, left);
    if (computeHoursPerMonth < leastOwnPart * hoursOf(recommendation, spanHours)) return [];
    left = left.map((hours, index) => hours * (1 - (spared[index] ?? 0)));
    if (isOfWaiting) waiting = waiting.map((part, index) => Math.max(part, alone[index] ?? 0));
    return {
      account,
      project_id,
      endpoint_id,
      ...(project_name !== undefined && { project_name }),
      ...(branch_id !== undefined && { branch_id }),
      ...said,
      computeHoursPerMonth: roundHours(computeHoursPerMonth),
    };
  });
}

/** A part of a span beyond another part of it that is spared already, as a part of what is left then. */
function beyond(part: number, spared: number): number {
  return part <= spared ? 0 : (part - spared) / (1 - spared);
}
