import { findingOptionsOf } from '../../src/cost/finding/finding-filter.ts';
import { findFindings } from '../../src/cost/finding/finding-list.ts';
import { medianOf } from '../../src/cost/forecast/robust-statistic.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { type Finding, type FindingKind, findingKinds } from '../../src/resources/finding.ts';
import { usualFindingRules } from '../../src/resources/finding-rule.ts';
import type { SimulatedAccount } from '../../src/simulator/model/account.ts';
import { settle } from '../../src/simulator/model/endpoint-life.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import type { EndpointSettings, SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { type Measurement, seedsFrom } from './quality-table.ts';
import { quarterCuSecondsOf } from './simulated-past.ts';

/** A saving as it was claimed, and as it would have been. Compute hours in 30 days. */
export interface JudgedSaving {
  readonly kind: FindingKind;
  readonly isUpperBound: boolean;
  readonly claimed: number;
  readonly saved: number;
}

export interface SavingFleet {
  readonly seed: number;
  readonly projects?: number;
  /** How long the daemon has watched it by the end. */
  readonly watchedDays?: number;
}

const hour = 3600;
const day = 24 * hour;
/** A daemon reads endpoints that are awake more often, which shows more of their pauses. */
const readEverySeconds = 300;
const windowDays = 28;
const importedDays = 34;
const end = Date.UTC(2026, 10, 2, 10) / 1000;
const windowFrom = end - windowDays * day;

/**
 * The savings claimed from the history of a daemon that watches a simulated fleet, each beside the use of the same
 * fleets over the same time with and without it; larger findings of its endpoint are followed in both.
 */
export function judgeSavings({ seed, projects = 2, watchedDays = 4 }: SavingFleet): JudgedSaving[] {
  const options = {
    seed,
    projects,
    historyDays: importedDays,
    showcase: true,
    apiKey: 'key',
    hasSureStarts: true,
  };
  const fleet = { ...options, plan: 'paid', now: end - watchedDays * day } as const;
  using life = new LivedHistory(fleet);
  life.watch(watchedDays * day, { listEverySeconds: readEverySeconds, projectsEvery: 1 });
  const byEndpoint = Map.groupBy(claimFindings(life), ({ endpoint_id }) => endpoint_id);
  const most = Math.max(0, ...[...byEndpoint.values()].map(({ length }) => length));
  /** Use of each endpoint in 30 days, with so many of its findings followed. */
  const uses = seedsFrom(0, most + 1).map(followed => {
    const account = createFleet(fleet);
    account.timeline.advanceTo(windowFrom);
    const chosen = [...byEndpoint.values()].flatMap(findings => findings.slice(0, followed));
    const usedBefore = followFindings(account, chosen, windowFrom);
    account.timeline.advanceTo(end);
    const endpoints = [...account.projects.values()].flatMap(project => project.endpoints);
    return new Map(
      endpoints.map(endpoint => {
        const used = quarterCuSecondsOf(endpoint) - (usedBefore.get(endpoint) ?? 0);
        const knownSeconds = end - Math.max(windowFrom, endpoint.createdAt);
        return [endpoint.id, ((used / 4 / hour) * 30 * day) / knownSeconds];
      }),
    );
  });
  return [...byEndpoint.values()].flatMap(findings =>
    findings.map(({ kind, isUpperBound, endpoint_id, computeHoursPerMonth }, index) => {
      const [before = 0, after = 0] = [index, index + 1].map(at => uses[at]?.get(endpoint_id));
      return { kind, isUpperBound, claimed: computeHoursPerMonth, saved: before - after };
    }),
  );
}

function claimFindings(life: LivedHistory): Finding[] {
  const reader = new UsageReader(life.folder.file, ['main']);
  try {
    const { usage, endpointHistories } = reader.look();
    return usage.projects
      .filter(({ gone_at }) => gone_at === undefined)
      .flatMap(project =>
        endpointHistories
          .endpoints(project, () => windowFrom * 1000)
          .flatMap(past =>
            findFindings(past, findingOptionsOf(usualFindingRules, { project, at: life.now })),
          ),
      );
  } finally {
    reader.close();
  }
}

/** Claims of a kind over what was saved: of all together, of the one in the middle, and of the worst. */
export function compareSavings(judged: readonly JudgedSaving[]) {
  const sum = (of: (saving: JudgedSaving) => number) =>
    judged.reduce((total, saving) => total + of(saving), 0);
  const claimed = sum(saving => saving.claimed);
  const saved = sum(saving => saving.saved);
  const ratios = judged.map(saving => saving.claimed / Math.max(saving.saved, 0.1));
  return {
    claimed,
    saved,
    ratio: claimed / saved,
    middle: medianOf(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
}

export const savingQuality: Measurement = {
  name: 'saving',
  measure: seeds => {
    const judged = seeds.flatMap(seed => judgeSavings({ seed: seed + 500 }));
    const groups = findingKinds.flatMap(kind =>
      [false, true].map(isUpperBound => ({
        name: `${kind}${isUpperBound ? ' (up to)' : ''}`,
        members: judged.filter(saving => saving.kind === kind && saving.isUpperBound === isUpperBound),
      })),
    );
    return [
      {
        title: `Savings claimed against really saved, ${seeds.length} simulated fleets, compute hours in 30 days`,
        heads: ['finding', 'findings', 'claimed', 'saved', 'claimed/saved', 'median', 'least', 'most'],
        rows: groups
          .filter(({ members }) => members.length > 0)
          .map(({ name, members }) => {
            const { claimed, saved, ratio, middle, least, most } = compareSavings(members);
            const figures = [ratio, middle, least, most].map(figure => figure.toFixed(2));
            return [name, String(members.length), claimed.toFixed(0), saved.toFixed(0), ...figures];
          }),
      },
    ];
  },
};

/** Endpoints that begin later are changed once they have settled. */
const settlingSeconds = 60;
const usualDelaySeconds = 300;

/**
 * Has the findings followed from now on, and on endpoints to come from their beginning.
 *
 * @returns what endpoints had used by now.
 */
function followFindings(
  account: SimulatedAccount,
  findings: readonly Finding[],
  fromSecond: number,
): ReadonlyMap<SimulatedEndpoint, number> {
  const present = [...account.projects.values()].flatMap(({ endpoints }) => endpoints);
  const usedBefore = new Map(present.map(endpoint => [endpoint, quarterCuSecondsOf(endpoint)]));
  const open = new Map(Map.groupBy(findings, ({ endpoint_id }) => endpoint_id));
  const look = (): void => {
    for (const endpoint of [...account.projects.values()].flatMap(({ endpoints }) => endpoints)) {
      for (const finding of open.get(endpoint.id) ?? []) follow(endpoint, finding);
      open.delete(endpoint.id);
    }
    if (open.size > 0) account.timeline.schedule(account.timeline.now + settlingSeconds, look);
  };
  account.timeline.schedule(fromSecond + 1, look);
  return usedBefore;
}

function follow(endpoint: SimulatedEndpoint, finding: Finding): void {
  quarterCuSecondsOf(endpoint);
  endpoint.settings = { ...endpoint.settings, ...changeBy(finding) };
  settle(endpoint);
}

function changeBy({ kind, advice, advisedDelayMs, periodMs }: Finding): Partial<EndpointSettings> {
  if (kind === 'floor_size') return { minCu: Number(/([\d.]+) CU/.exec(advice)?.[1]) };
  // A job or a check that starts nothing any more, and nobody else who does.
  const isOfJob = kind === 'never_suspends' && periodMs !== undefined && advisedDelayMs === undefined;
  if (kind === 'woken_on_period' || kind === 'woken_by_checks' || isOfJob) return { disabled: true };
  return {
    suspendTimeoutSeconds: advisedDelayMs === undefined ? usualDelaySeconds : advisedDelayMs / 1000,
  };
}
