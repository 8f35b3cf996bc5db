import { findFindings } from '../../src/cost/finding/finding-list.ts';
import type { EndpointHistory } from '../../src/resources/endpoint-history.ts';
import { type FindingKind, findingKinds } from '../../src/resources/finding.ts';
import { usualFindingRules } from '../../src/resources/finding-rule.ts';
import { drawProject } from '../../src/simulator/model/blueprint.ts';
import { suspendDelaySeconds } from '../../src/simulator/model/endpoint.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import { liveEndpoints, type SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import { scenarios } from '../../src/simulator/model/scenario.ts';
import type { Profile } from '../../src/simulator/model/traffic.ts';
import { type Measurement, renderPercent } from './quality-table.ts';
import { quarterCuSecondsOf, rememberEndpoint } from './simulated-past.ts';

/** How well one kind of finding was found: `precision` and `recall` are 0 to 1, 1 where there was nothing to judge. */
interface FindingQuality {
  readonly kind: FindingKind;
  /** How many endpoints have it, how many are said to have it, and how many both. */
  readonly expected: number;
  readonly found: number;
  readonly right: number;
  readonly precision: number;
  readonly recall: number;
  /** How many right ones have the right period within 1 %. */
  readonly rightPeriods: number;
}

interface FindingFleet {
  readonly seeds: readonly number[];
  /** Of each fleet, besides the showcase. */
  readonly projects?: number;
  /** Whether the client read `last_active` after each use; true by default. */
  readonly isLastUseRead?: boolean;
  /** Only for looking closer: each endpoint that was judged wrongly. */
  readonly onWrong?: (seed: number, profile: Profile, kind: FindingKind, endpoint: SimulatedEndpoint) => void;
}

const now = Date.parse('2026-11-02T10:00:00Z') / 1000;
const day = 86_400;
const dayMs = day * 1000;

/** Compares the findings on simulated fleets, from what a client sees of them, with what the fleets were made of. */
export function measureFindings({
  seeds,
  projects = 10,
  isLastUseRead = true,
  onWrong,
}: FindingFleet): FindingQuality[] {
  const counts = new Map(
    findingKinds.map(kind => [kind, { expected: 0, found: 0, right: 0, rightPeriods: 0 }]),
  );
  for (const seed of seeds) {
    for (const { endpoint, profile, truth, findings } of judgeFleet(seed, projects, isLastUseRead)) {
      for (const [kind, count] of counts) {
        const finding = findings.find(candidate => candidate.kind === kind);
        const isTrue = truth.kinds.has(kind);
        if (isTrue) count.expected += 1;
        if (finding !== undefined) count.found += 1;
        if (isTrue !== (finding !== undefined)) onWrong?.(seed, profile, kind, endpoint);
        if (!isTrue || finding === undefined) continue;
        count.right += 1;
        const { periodMs = 0 } = finding;
        const trueMs = truth.periodMs ?? Number.NaN;
        if (Math.abs(periodMs / trueMs - 1) <= 0.01) count.rightPeriods += 1;
      }
    }
  }
  return [...counts].map(([kind, count]) => ({
    kind,
    ...count,
    precision: count.found === 0 ? 1 : count.right / count.found,
    recall: count.expected === 0 ? 1 : count.right / count.expected,
  }));
}

/** The thresholds of the detectors were chosen by looking at fleets of the first fifty seeds. */
const heldOut = (seed: number) => seed + 500;

export const findingQuality: Measurement = {
  name: 'finding',
  measure: seeds => {
    const rows = measureFindings({ seeds: seeds.map(heldOut) }).map(
      ({ kind, expected, found, right, precision, recall }) => [
        kind,
        String(expected),
        String(found),
        String(right),
        renderPercent(precision),
        renderPercent(recall),
      ],
    );
    const heads = ['finding', 'true of', 'said of', 'both', 'precision', 'recall'];
    return [{ title: 'Findings on simulated fleets, endpoints over 28 days', heads, rows }];
  },
};

/** Every endpoint of a fleet with what is true of it and what was found in its last 28 days of 30. */
function judgeFleet(seed: number, projects: number, isLastUseRead: boolean) {
  const fromSecond = now - 28 * day;
  const fleet = {
    seed,
    projects,
    historyDays: 30,
    apiKey: 'key',
    plan: 'paid',
    showcase: true,
    now,
  } as const;
  const account = createFleet(fleet);
  account.timeline.advanceTo(fromSecond);
  const endpointsNow = () => [...account.projects.values()].flatMap(liveEndpoints);
  const quarterCuSecondsBefore = new Map(
    endpointsNow().map(endpoint => [endpoint, quarterCuSecondsOf(endpoint)]),
  );
  account.timeline.advanceTo(now);
  const profiles = readProfiles(seed, projects);
  return endpointsNow().map(endpoint => {
    const past = rememberEndpoint(endpoint, {
      fromSecond,
      untilSecond: now,
      isLastUseRead,
      quarterCuSecondsBefore,
    });
    const profile = profiles.get(endpoint.id) ?? 'quiet';
    return {
      endpoint,
      profile,
      truth: knowFindings(endpoint, profile, past),
      findings: findFindings(past, {
        minimumComputeHours: 0.1,
        smallestDelayMs: usualFindingRules.smallestSuspendDelayMs,
      }),
    };
  });
}

/** The profile of each endpoint, which the model forgets once its traffic is under way. */
function readProfiles(seed: number, projects: number): ReadonlyMap<string, Profile> {
  const drawn = Array.from({ length: projects }, (_, index) => drawProject(seed, 'fleet', index, 'paid'));
  const shown = scenarios.map(({ name, profile }, index) =>
    drawProject(seed, 'showcase', index, 'paid', { name, profile, branches: 1 }),
  );
  return new Map(
    [...drawn, ...shown].flatMap(({ branches }) =>
      branches.map(({ endpointId, profile }) => [endpointId, profile] as const),
    ),
  );
}

/** What is true of an endpoint by the profile and the settings it was made with, which no client sees. */
interface FindingTruth {
  readonly kinds: ReadonlySet<FindingKind>;
  readonly periodMs?: number;
}

const periodsMs: Partial<Record<Profile, number>> = { 'nightly-cron': dayMs, 'ten-minute-cron': 600_000 };

/** @param past only for its length, and how often and how long the endpoint was awake */
function knowFindings(endpoint: SimulatedEndpoint, profile: Profile, past: EndpointHistory): FindingTruth {
  const kinds = new Set<FindingKind>();
  const knownDays = (past.untilAt - past.fromAt) / dayMs;
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
