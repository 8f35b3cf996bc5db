import type { EndpointHistory } from '../../src/resources/endpoint-history.ts';
import type { FindingKind } from '../../src/resources/finding.ts';
import { suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import type { SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import type { Profile } from '../../src/simulator/model/traffic.ts';

const day = 86_400_000;

/** What is true of an endpoint by the profile and the settings it was made with, which no client sees. */
export interface FindingTruth {
  readonly kinds: ReadonlySet<FindingKind>;
  readonly periodMs?: number;
}

const periodsMs: Partial<Record<Profile, number>> = { 'nightly-cron': day, 'ten-minute-cron': 600_000 };

/** @param past only for its length, and how often and how long the endpoint was awake */
export function knowFindings(
  endpoint: SimulatedEndpoint,
  profile: Profile,
  past: EndpointHistory,
): FindingTruth {
  const kinds = new Set<FindingKind>();
  const knownDays = (past.untilAt - past.fromAt) / day;
  if (knownDays < 3) return { kinds };
  const delaySeconds = suspendDelaySeconds(endpoint.settings);
  const isNeverSuspended = delaySeconds === Number.POSITIVE_INFINITY;
  if (profile === 'forgotten' && isNeverSuspended && knownDays > 17)
    return { kinds: kinds.add('awake_unused') };
  if (profile === 'woken-by-checks') return { kinds: kinds.add('woken_by_checks') };
  if (isNeverSuspended || (profile === 'five-minute-cron' && delaySeconds >= 300))
    kinds.add('never_suspends');
  const periodMs = periodsMs[profile];
  const isMostlyWaiting = waitingShare(delaySeconds * 1000, past) >= 0.45;
  // Fewer than a week of nights are no habit, and the first night may be missed.
  if (periodMs !== undefined && knownDays >= 8 && isMostlyWaiting) kinds.add('woken_on_period');
  else if (!isNeverSuspended) addTail(kinds, delaySeconds * 1000, past);
  if (endpoint.load === 'low') kinds.add('floor_size');
  return { kinds, ...(kinds.has('woken_on_period') && periodMs !== undefined && { periodMs }) };
}

/** What is advised in place of delays of 10, 15 minutes and an hour: a fifth of them, or the next setting above it. */
const advisedMs = new Map([
  [600_000, 300_000],
  [900_000, 300_000],
  [3_600_000, 900_000],
]);
const suspendTakesMs = 2000;

/** The delay after each use is about half of the awake time, or what could be cut of it is a tenth. */
function addTail(kinds: Set<FindingKind>, delayMs: number, past: EndpointHistory): void {
  const shorterMs = advisedMs.get(delayMs);
  if (shorterMs === undefined || past.awake.length < 5) return;
  if (waitingShare(delayMs, past) >= 0.45) kinds.add('idle_tail');
  else if (waitingShare(delayMs - shorterMs, past) >= 0.1) kinds.add('longer_than_needed');
}

/** The part of its awake time that so much after each use is. */
function waitingShare(delayMs: number, { awake }: EndpointHistory): number {
  const awakeMs = awake.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0);
  return (awake.length * (delayMs + suspendTakesMs)) / awakeMs;
}
