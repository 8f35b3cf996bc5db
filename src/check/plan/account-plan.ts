import { type Account, activeCollectors, type Config, retentionTimes } from '../../config/config.ts';
import { estimateHistoryBytes } from '../../history/fleet/size-estimate.ts';
import { scheduleIntervalMs } from '../../poll/schedule.ts';
import { adviseBudget, type BudgetAdvice } from '../../poll/scheduler/budget-advice.ts';
import { type MeterRequests, planMeter, planPart } from '../../poll/scheduler/due-time.ts';
import { type PlanTerms, type PollPlan, planPolls } from '../../poll/scheduler/poll-plan.ts';
import { type Collector, partCollectors } from '../../resources/collector.ts';
import { type SeriesMode, seriesModes } from '../../resources/family-selection.ts';
import type { CpuSource } from '../../resources/project-usage.ts';
import { shareOfRate } from '../../resources/shard.ts';
import { estimateSeries, weighSeries } from './series-estimate.ts';

/** The fleet that an account has to watch. */
export interface PlannedFleet {
  readonly projects: number;
  /** On average. */
  readonly endpointsPerProject: number;
  /** Part of the projects that have something running, 0 to 1. */
  readonly busyShare: number;
  readonly apiKeys: number;
  /** Operations of all projects together. */
  readonly operationsPerDay: number;
  /** Where the compute of its projects was last read; absent where that is not known. */
  readonly cpuSource?: CpuSource;
  /** Whether the service's own meter was read. */
  readonly isMetered?: boolean;
}

/** Series of a fleet in one mode. */
interface SeriesFigures {
  readonly mode: SeriesMode;
  /** Series of a project with all its endpoints, on average. */
  readonly project: number;
  readonly total: number;
}

/** The requests, freshness, series and history size that watching an account comes to. */
export interface AccountPlan {
  readonly account: string;
  /** Exporters that share the account; all figures are of one of them. */
  readonly sharers: number;
  readonly fleet: PlannedFleet;
  readonly terms: PlanTerms;
  readonly plan: PollPlan;
  /** Requests of the service's own meter, which have a budget of their own; absent where it is not read. */
  readonly meter?: MeterRequests;
  readonly advice: BudgetAdvice;
  /** Requests for lists of single projects, besides those of the budget: a name for each resource that is read. */
  readonly parts: Readonly<Record<string, ReturnType<typeof planPart>>>;
  /** The mode of the configuration first. */
  readonly series: readonly SeriesFigures[];
  /** Bytes the history grows to, by what it holds. */
  readonly historyBytes: ReturnType<typeof estimateHistoryBytes>;
}

/** The part of an account that a plan depends on. */
export type PlannedAccount = Pick<
  Account,
  'name' | 'requestsPerMinute' | 'sharedRequestsPerMinute' | 'cpuSource'
>;
/** The part of the configuration that a plan depends on. */
type PlanConfig = Pick<Config, 'collect' | 'series' | 'history' | 'pricing'>;

/**
 * Works out what watching a fleet comes to; nothing is asked of the service.
 *
 * @param pageSize projects the service puts on a page of their list.
 * @param sharers exporters that share the account: the plan is of one of them.
 */
export function planAccount(
  { name, cpuSource = 'auto', ...account }: PlannedAccount,
  whole: PlannedFleet,
  config: PlanConfig,
  pageSize: number,
  sharers = 1,
): AccountPlan {
  const { collectors, schedule, idleRefreshMs, apiKeysRefreshMs } = config.collect;
  const fleet = partOfFleet(whole, sharers);
  const requestsPerMinute = shareOfRate(account.requestsPerMinute, { index: 0, count: sharers });
  const terms: PlanTerms = {
    collectors,
    projects: fleet.projects,
    ...(sharers > 1 && { listed: whole.projects }),
    busyShare: fleet.busyShare,
    pageSize,
    requestsPerMinute,
    scheduleMs: scheduleIntervalMs(schedule),
    idleRefreshMs,
    apiKeysRefreshMs,
    readsUse: (cpuSource === 'auto' ? fleet.cpuSource : cpuSource) === 'project',
  };
  const plan = planPolls(terms);
  const { consumption } = config.collect;
  const isMetered = consumption === 'on' || (consumption === 'auto' && fleet.isMetered === true);
  return {
    account: name,
    sharers,
    fleet,
    terms,
    plan,
    ...(isMetered && { meter: planMeter(fleet.projects) }),
    historyBytes: estimateHistoryBytes(
      {
        ...fleet,
        endpoints: fleet.projects * fleet.endpointsPerProject,
        operationsPerDay: collectors.includes('operations') ? fleet.operationsPerDay : 0,
        listPollMs: plan.listPollIntervalMs,
        isMetered,
      },
      retentionTimes(config.history),
    ),
    advice: adviseBudget(terms),
    parts: Object.fromEntries(
      partCollectors
        .filter(collector => config.collect[collector] === 'on')
        .map(collector => [collector, planPart(fleet.projects)]),
    ),
    series: seriesModes
      .toSorted((a, b) => Number(b === config.series.mode) - Number(a === config.series.mode))
      .map(mode => countSeriesOf({ ...fleet, isMetered }, config, mode)),
  };
}

/** The part of a fleet that each of some shards has. */
function partOfFleet(fleet: PlannedFleet, sharers: number): PlannedFleet {
  const { projects, operationsPerDay } = fleet;
  return { ...fleet, projects: Math.ceil(projects / sharers), operationsPerDay: operationsPerDay / sharers };
}

function countSeriesOf(
  fleet: PlannedFleet,
  { collect, series, pricing }: PlanConfig,
  mode: SeriesMode,
): SeriesFigures {
  const isPriced = pricing !== undefined;
  const isMeterPriced = pricing?.plans.some(({ metered = [] }) => metered.length > 0) ?? false;
  const isRead = (collector: Collector) => collector !== 'consumption' || fleet.isMetered === true;
  const collectors = activeCollectors(collect).filter(isRead);
  const selection = { mode, exclude: series.exclude, collectors };
  const cost = weighSeries(selection, isMeterPriced);
  return {
    mode,
    project:
      cost.project + (fleet.endpointsPerProject - 1) * cost.endpoint + (isPriced ? cost.projectPrices : 0),
    total: estimateSeries({ ...fleet, isPriced, isMeterPriced }, selection),
  };
}
