import type { SourcedPlan } from '../fleet-plan.ts';
import type { ShardPlan } from '../shard-plan.ts';
import { renderVerdict } from './verdict.ts';

/** Plans for programs, as a JSON document: durations in seconds, null for what never happens. */
export function renderPlanJson(plans: readonly SourcedPlan[]): string {
  return `${JSON.stringify({ accounts: plans.map(toPlanDocument) }, null, 2)}\n`;
}

/** A plan as a part of a JSON document. */
export function toPlanDocument({ planned, source, shards }: SourcedPlan): object {
  const { account, fleet, terms, plan, advice, series, historyBytes, meter, parts } = planned;
  return {
    account,
    source,
    projects: fleet.projects,
    ...(shards && { shards: toShardDocument(shards) }),
    endpoints_per_project: fleet.endpointsPerProject,
    busy_share: fleet.busyShare,
    api_keys: fleet.apiKeys,
    page_size: terms.pageSize,
    requests_per_minute: {
      budget: terms.requestsPerMinute,
      wanted: { ...plan.wanted, together: plan.wantedPerMinute },
      allowed: { ...plan.allowed, together: plan.allowedPerMinute },
    },
    ...(meter && {
      meter: {
        requests_per_minute: meter.perMinute,
        requests_each_hour: meter.eachHour,
        requests_each_day_besides: meter.eachDay,
      },
    }),
    ...Object.fromEntries(
      Object.entries(parts).map(([collector, { perMinute, everyMs }]) => [
        collector,
        { requests_per_minute: perMinute, every_seconds: toSeconds(everyMs) },
      ]),
    ),
    freshness: {
      sweep_interval_seconds: toSeconds(plan.listPollIntervalMs),
      start_noticed_seconds: spread(plan.startNoticedMs),
      busy_age_seconds: spread(plan.busyAgeMs),
      idle_interval_seconds: toSeconds(plan.idleIntervalMs),
      light_readings: plan.partialPolls,
    },
    series: Object.fromEntries(series.map(({ mode, project, total }) => [mode, { project, total }])),
    history_bytes: Object.fromEntries(
      Object.entries(historyBytes).map(([kind, bytes]) => [kind, Math.round(bytes)]),
    ),
    advice: {
      enough: advice.listsInTime && advice.idleInTime,
      lists_in_time: advice.listsInTime,
      idle_in_time: advice.idleInTime,
      enough_requests_per_minute: advice.enoughPerMinute,
      ample_requests_per_minute: advice.amplePerMinute,
      affordable_schedule: advice.affordable?.schedule,
      affordable_idle_refresh_seconds: toSeconds(advice.affordable?.idleRefreshMs),
      says: renderVerdict(planned),
    },
  };
}

/** All other figures are of one shard. */
function toShardDocument({ count, projects, series, ...rest }: ShardPlan): object {
  const { prometheus, victoriametrics } = rest.stored;
  return {
    ...{ count, projects, series },
    memory_bytes_of_each: rest.memoryBytes,
    // The two names without an engine are of Prometheus, whose engine others build on.
    stored_bytes_a_day: Math.round(prometheus.perDay),
    bytes_per_sample: prometheus.perSample,
    stored_bytes_a_day_in_victoriametrics: Math.round(victoriametrics.perDay),
    bytes_per_sample_in_victoriametrics: victoriametrics.perSample,
    scrape_interval_seconds: toSeconds(rest.scrapeMs),
    proven_from: rest.proven,
  };
}

function toSeconds(durationMs: number | undefined): number | undefined {
  return durationMs === undefined ? undefined : durationMs / 1000;
}

function spread({ p50, p99 }: { readonly p50: number; readonly p99: number }) {
  return { p50: toSeconds(p50), p99: toSeconds(p99) };
}
