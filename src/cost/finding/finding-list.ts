import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import {
  type Finding,
  type FindingKind,
  figureOf,
  findingKinds,
  type Saving,
} from '../../resources/finding.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import { awakeUnused } from './awake-unused.ts';
import type { Recommendation } from './detector.ts';
import { floorSize } from './floor-size.ts';
import { idleTail } from './idle-tail.ts';
import { longerThanNeeded } from './longer-than-needed.ts';
import { neverSuspends } from './never-suspends.ts';
import { beyond, RemainingHours, roundHours, spanHoursOf } from './spared-use.ts';
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
export const leastHours = 1;
/** A shorter history is too little for findings. */
const leastKnownMs = 3 * dayMs;
/** A finding is left out where larger ones already save more than the rest of it. */
const leastOwnPart = 0.25;
/** Sums are rounded by less than this leaves. */
const roundedPart = 0.999;

/** Where one of these finds something the endpoint is not used, so advice on its sleep between uses is pointless. */
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
  if (isTooLittle(usedCuMs / hourMs, { minimumComputeHours })) return [];
  if (awakeMs(past) === 0) return [];
  const limit = { smallestDelayMs };
  const unused = unusedDetectors.flatMap(detect => detect(past, limit) ?? []).slice(0, 1);
  const recommendations =
    unused.length > 0 ? unused : useDetectors.flatMap(detect => detect(past, limit) ?? []);
  const wanted = recommendations.filter(({ kind }) => !isIgnored(kind));
  return setOff(past, wanted).filter(({ hoursPerMonth }) => {
    if (hoursPerMonth === undefined) return true;
    const hours = figureOf(hoursPerMonth);
    return hours > 0 && hours >= minimumComputeHours;
  });
}

/** Whether something with this use in 30 days, in compute hours, can have no finding that is large enough. */
export function isTooLittle(
  computeHours: number,
  { minimumComputeHours = leastHours }: Pick<FindingOptions, 'minimumComputeHours'>,
): boolean {
  return computeHours < roundedPart * minimumComputeHours;
}

/**
 * Counts no saving twice: each recommendation spares its part of what larger ones leave. First all spare what is likely, then
 * what may be more, so that none is ever likely to save more than it may.
 */
function setOff(past: EndpointHistory, recommendations: readonly Recommendation[]): Finding[] {
  const { account, project_id, endpoint_id, project_name, branch_id } = past;
  const chosen = chooseLargest(spanHoursOf(past), recommendations);
  const left = new RemainingHours(spanHoursOf(past));
  const likely = chosen.map(
    ({ spared, isOfWaiting }) => spared?.likely && left.spare(spared.likely, isOfWaiting),
  );
  return chosen.map(({ spared, isOfWaiting, weighedBy: _weighed, ...said }, index) => ({
    account,
    project_id,
    endpoint_id,
    ...(project_name !== undefined && { project_name }),
    ...(branch_id !== undefined && { branch_id }),
    ...said,
    ...(spared && {
      // Waiting that is spared already is known to be.
      hoursPerMonth: describe(
        likely[index],
        left.spare(isOfWaiting ? spared.most : restOf(spared), isOfWaiting),
      ),
    }),
  }));
}

/** The largest first, without ones that larger ones leave little of. */
function chooseLargest(
  spanHours: readonly number[],
  recommendations: readonly Recommendation[],
): readonly Recommendation[] {
  const partsOf = ({ spared, weighedBy }: Recommendation) =>
    weighedBy ?? (spared === undefined ? [] : figureOf(spared));
  const whole = new RemainingHours(spanHours);
  const hoursOf = (each: Recommendation) => whole.measure(partsOf(each));
  const left = new RemainingHours(spanHours);
  return [...recommendations]
    .sort(
      (one, other) =>
        hoursOf(other) - hoursOf(one) || findingKinds.indexOf(one.kind) - findingKinds.indexOf(other.kind),
    )
    .filter(each => {
      const parts = partsOf(each);
      if (left.measure(parts, each.isOfWaiting) < leastOwnPart * hoursOf(each)) return false;
      left.spare(parts, each.isOfWaiting);
      return true;
    });
}

/** The parts that may be spared beyond the likely ones. */
function restOf({ likely = [], most }: Saving<readonly number[]>): number[] {
  return most.map((part, index) => beyond(part, likely[index] ?? 0));
}

function describe(likely: number | undefined, more: number): Saving {
  if (likely === undefined) return { most: roundHours(more) };
  return { likely: roundHours(likely), most: roundHours(likely + more) };
}
