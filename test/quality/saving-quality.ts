import { findingOptionsOf } from '../../src/cost/finding/finding-filter.ts';
import { findFindings } from '../../src/cost/finding/finding-list.ts';
import { medianOf } from '../../src/cost/forecast/robust-statistic.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { type Finding, type FindingKind, findingKinds, type Saving } from '../../src/resources/finding.ts';
import { usualFindingRules } from '../../src/resources/finding-rule.ts';
import type { SimulatedAccount } from '../../src/simulator/model/account.ts';
import { settle } from '../../src/simulator/model/endpoint-life.ts';
import { createFleet } from '../../src/simulator/model/fleet.ts';
import type { EndpointSettings, SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { type Measurement, seedsFrom } from './quality-table.ts';
import { quarterCuSecondsOf } from './simulated-past.ts';

/** A saving as it was claimed, and as it would have been. Compute hours in 30 days. */
interface JudgedSaving {
  readonly kind: FindingKind;
  readonly claimed: Saving;
  /** By what is likely, such as a shorter delay; and by the most that can be done, such as a job that runs elsewhere. */
  readonly saved: Saving;
  /** All that its endpoint used. */
  readonly used: number;
}

interface SavingFleet {
  readonly seed: number;
  readonly projects?: number;
  /** How long the daemon has watched it by the end. */
  readonly watchedDays?: number;
  readonly readEverySeconds?: number;
}

const hour = 3600;
const day = 24 * hour;
/** A daemon reads endpoints that are awake more often, which shows more of their pauses. */
const usualReadEverySeconds = 300;
const windowDays = 30;
const importedDays = 34;
const end = Date.UTC(2026, 10, 2, 10) / 1000;
const windowFrom = end - windowDays * day;

/**
 * The savings claimed from the history of a daemon that watches a simulated fleet, each beside the use of the same
 * fleets over the same time with and without it; larger findings of its endpoint are followed in both.
 */
export function judgeSavings({
  seed,
  projects = 2,
  watchedDays = 4,
  readEverySeconds = usualReadEverySeconds,
}: SavingFleet): JudgedSaving[] {
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
  /** Use of each endpoint in 30 days, with this number of its findings followed. */
  const usesBy = (bound: keyof Saving) =>
    seedsFrom(0, most + 1).map(followed => {
      const account = createFleet(fleet);
      account.timeline.advanceTo(windowFrom);
      const chosen = [...byEndpoint.values()].flatMap(findings => findings.slice(0, followed));
      const usedBefore = followFindings(account, chosen, bound);
      account.timeline.advanceTo(end);
      const endpoints = [...account.projects.values()].flatMap(project => project.endpoints);
      return new Map(
        endpoints.map(endpoint => {
          const used = quarterCuSecondsOf(endpoint) - (usedBefore.get(endpoint) ?? 0);
          return [endpoint.id, used / 4 / hour];
        }),
      );
    });
  const uses = { likely: usesBy('likely'), most: usesBy('most') };
  return [...byEndpoint.values()].flatMap(findings =>
    findings.flatMap(({ kind, hoursPerMonth: claimed, endpoint_id }, index) => {
      const savedBy = (bound: keyof Saving) => {
        const [before = 0, after = 0] = [index, index + 1].map(at => uses[bound][at]?.get(endpoint_id));
        return before - after;
      };
      if (claimed === undefined) return [];
      const saved = { likely: savedBy('likely'), most: savedBy('most') };
      return { kind, claimed, saved, used: uses.likely[0]?.get(endpoint_id) ?? 0 };
    }),
  );
}

function claimFindings(life: LivedHistory): Finding[] {
  const reader = new UsageReader(life.folder.file, ['main']);
  try {
    const { usage, endpoints } = reader.look();
    return usage.projects
      .filter(({ gone_at }) => gone_at === undefined)
      .flatMap(project =>
        endpoints
          .endpoints(project, () => windowFrom * 1000)
          .flatMap(past =>
            findFindings(past, findingOptionsOf(usualFindingRules, { project, at: life.now })),
          ),
      );
  } finally {
    reader.close();
  }
}

/** Claims of one of the two figures over what was saved: of all together, of the one in the middle, and of the worst. */
export function compareSavings(judged: readonly JudgedSaving[], bound: keyof Saving) {
  const figures = judged.flatMap(({ claimed, saved }) => {
    const figure = claimed[bound];
    return figure === undefined ? [] : [{ claimed: figure, saved: saved[bound] ?? 0 }];
  });
  const sum = (of: (figure: { readonly claimed: number; readonly saved: number }) => number) =>
    figures.reduce((total, figure) => total + of(figure), 0);
  const [claimed, saved] = [sum(figure => figure.claimed), sum(figure => figure.saved)];
  const ratios = figures.map(figure => figure.claimed / Math.max(figure.saved, 0.1));
  return {
    count: figures.length,
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
      (['likely', 'most'] as const).map(bound => ({
        name: `${kind}, ${bound === 'likely' ? 'likely' : 'at most'}`,
        compared: compareSavings(
          judged.filter(saving => saving.kind === kind),
          bound,
        ),
      })),
    );
    return [
      {
        title: `Savings claimed against really saved, ${seeds.length} simulated fleets, compute hours in 30 days`,
        heads: ['finding', 'findings', 'claimed', 'saved', 'claimed/saved', 'median', 'least', 'most'],
        rows: groups
          .filter(({ compared }) => compared.count > 0)
          .map(({ name, compared: { count, claimed, saved, ratio, middle, least, most } }) => {
            const figures = [ratio, middle, least, most].map(figure => figure.toFixed(2));
            return [name, String(count), claimed.toFixed(0), saved.toFixed(0), ...figures];
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
  bound: keyof Saving,
): ReadonlyMap<SimulatedEndpoint, number> {
  const present = [...account.projects.values()].flatMap(({ endpoints }) => endpoints);
  const usedBefore = new Map(present.map(endpoint => [endpoint, quarterCuSecondsOf(endpoint)]));
  const open = new Map(Map.groupBy(findings, ({ endpoint_id }) => endpoint_id));
  const look = (): void => {
    for (const endpoint of [...account.projects.values()].flatMap(({ endpoints }) => endpoints)) {
      for (const finding of open.get(endpoint.id) ?? []) follow(endpoint, finding, bound);
      open.delete(endpoint.id);
    }
    if (open.size > 0) account.timeline.schedule(account.timeline.now + settlingSeconds, look);
  };
  account.timeline.schedule(windowFrom + 1, look);
  return usedBefore;
}

function follow(endpoint: SimulatedEndpoint, finding: Finding, bound: keyof Saving): void {
  if (finding.hoursPerMonth?.[bound] === undefined) return;
  quarterCuSecondsOf(endpoint);
  endpoint.settings = { ...endpoint.settings, ...changeBy(finding, bound) };
  settle(endpoint);
}

function changeBy(
  { kind, advice, advisedDelayMs, periodMs }: Finding,
  bound: keyof Saving,
): Partial<EndpointSettings> {
  if (kind === 'floor_size') return { minCu: Number(/([\d.]+) CU/.exec(advice)?.[1]) };
  // The job or check starts nothing any more, and nothing else does.
  const isOfJob = kind === 'never_suspends' && periodMs !== undefined && advisedDelayMs === undefined;
  const isJobGone = (kind === 'woken_on_period' && bound === 'most') || kind === 'woken_by_checks' || isOfJob;
  if (isJobGone) return { disabled: true };
  return {
    suspendTimeoutSeconds: advisedDelayMs === undefined ? usualDelaySeconds : advisedDelayMs / 1000,
  };
}
