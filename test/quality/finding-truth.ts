import type { EndpointPast } from '../../src/resources/endpoint-past.ts';
import type { FindingKind } from '../../src/resources/finding.ts';
import { type Endpoint, suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import type { Profile } from '../../src/simulator/model/traffic.ts';

const day = 86_400_000;

/** What is true of an endpoint by the profile and the settings it was made with, which no client sees. */
export interface FindingTruth {
  readonly kinds: ReadonlySet<FindingKind>;
  readonly periodMs?: number;
}

const periodsMs: Partial<Record<Profile, number>> = { 'nightly-cron': day, 'ten-minute-cron': 600_000 };

/** @param past only for its length, and how often and how long the endpoint was awake */
export function knowFindings(endpoint: Endpoint, profile: Profile, past: EndpointPast): FindingTruth {
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
  // Fewer than a week of nights are no habit, and the first night may be missed.
  if (periodMs !== undefined && knownDays >= 8) kinds.add('woken_on_period');
  else if (!isNeverSuspended) addTail(kinds, delaySeconds * 1000, past);
  if (endpoint.load === 'low') kinds.add('floor_size');
  return { kinds, ...(kinds.has('woken_on_period') && periodMs !== undefined && { periodMs }) };
}

/** The delay after each use, which is most of the awake time or a good part of it. */
function addTail(kinds: Set<FindingKind>, delayMs: number, { awake }: EndpointPast): void {
  const awakeMs = awake.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0);
  if (delayMs <= 60_000 || awake.length < 5) return;
  // Suspending takes two seconds on average.
  if (awake.length * (delayMs + 2000) >= 0.5 * awakeMs) kinds.add('idle_tail');
  else if (awake.length * (delayMs - 58_000) >= 0.1 * awakeMs) kinds.add('longer_than_needed');
}
