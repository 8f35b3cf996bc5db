import { costOfPoll } from '../../../poll/scheduler/budget-share.ts';
import type { RequestsByPurpose } from '../../../poll/scheduler/poll-plan.ts';
import { renderDuration } from '../../../resources/duration.ts';
import { maxOf } from '../../../resources/min-max.ts';
import { sumOf } from '../../../resources/sum.ts';
import type { AccountPlan } from '../account-plan.ts';
import type { SourcedPlan } from '../fleet-plan.ts';
import type { PlanFormat } from '../request.ts';
import type { ShardPlan, StorageEngine } from '../shard-plan.ts';
import { renderBytes, renderCount } from './count.ts';
import { renderPlanJson } from './json.ts';
import { renderVerdict } from './verdict.ts';

const purposes: Readonly<Record<keyof RequestsByPurpose, string>> = {
  lists: 'list of projects',
  keys: 'list of API keys',
  changed: 'projects that changed',
  busy: 'busy projects',
  idle: 'idle projects',
};

/** Plans for people: a text for each account, an empty line between them. */
function renderPlanTables(plans: readonly SourcedPlan[]): string {
  return plans.map(renderPlan).join('\n');
}

function renderPlan({ planned, source, shards }: SourcedPlan): string {
  return [
    ...renderHead(planned, source, shards),
    '',
    ...renderColumns(listRequests(planned)),
    '',
    ...listFreshness(planned).map(([what, says]) => `${what.padEnd(24)}${says}`),
    '',
    ...renderColumns(listSeries(planned)),
    '',
    ...renderMeter(planned),
    renderHistory(planned),
    '',
    ...(shards ? [...renderShards(planned, shards), ''] : []),
    renderVerdict(planned),
    '',
  ].join('\n');
}

function renderHead(
  { account, fleet, terms }: AccountPlan,
  source: string,
  shards: ShardPlan | undefined,
): string[] {
  const { projects, endpointsPerProject, busyShare } = fleet;
  const endpoints = `${renderCount(endpointsPerProject)} ${endpointsPerProject === 1 ? 'endpoint' : 'endpoints'}`;
  const whose = shards
    ? `Each of ${shards.count} shards of account ${account}: ${renderCount(projects)} of ${renderCount(shards.projects)}`
    : `Account ${account}: ${renderCount(projects)}`;
  return [
    `${whose} projects of ${endpoints}, ${renderCount(100 * busyShare)}% of them busy, ${source}.`,
    `With requests_per_minute: ${terms.requestsPerMinute}, lists every ${renderDuration(terms.scheduleMs)}, idle projects every ${renderDuration(terms.idleRefreshMs)}, ${terms.pageSize} projects on a page:`,
  ];
}

type Row = readonly string[];

function listRequests({ plan }: AccountPlan): readonly Row[] {
  const rows = Object.entries(purposes).map(([key, title]) => {
    const purpose = key as keyof RequestsByPurpose;
    return [title, renderCount(plan.wanted[purpose]), renderCount(plan.allowed[purpose])];
  });
  const total = ['together', renderCount(plan.wantedPerMinute), renderCount(plan.allowedPerMinute)];
  return [['requests a minute', 'wanted', 'allowed'], ...rows, total];
}

function listFreshness({
  plan,
  terms,
  parts,
}: AccountPlan): readonly (readonly [what: string, says: string])[] {
  const spread = ({ p50, p99 }: { readonly p50: number; readonly p99: number }) =>
    Number.isFinite(p99)
      ? `${renderDuration(p50)} for half of them, ${renderDuration(p99)} for 99%`
      : 'never read';
  const { listPollIntervalMs, pageIntervalMs } = plan;
  const isLong = pageIntervalMs > listPollIntervalMs;
  const why = isLong ? ', as its pages come one after another' : '';
  const lists = ['list of projects read', `every ${renderDuration(pageIntervalMs)}${why}`] as const;
  // With endpoints and operations off, nothing of a project is read but its line in the list.
  const others = Object.entries(parts).map(([collector, part]) => describePart(collector, part));
  if (costOfPoll(terms.collectors).full === 0) return [lists, ...others];
  const idle = renderDuration(plan.idleIntervalMs);
  return [
    lists,
    ['starts noticed after', spread(plan.startNoticedMs)],
    ['age of busy readings', spread(plan.busyAgeMs)],
    [
      'idle projects read',
      plan.partialPolls ? `every ${idle}, three times in four by their operations alone` : `every ${idle}`,
    ],
    ...others,
  ];
}

function describePart(collector: string, { perMinute, everyMs }: AccountPlan['parts'][string]) {
  const requests = `${renderCount(perMinute)} requests a minute besides`;
  return [`${collector} read`, `every ${renderDuration(everyMs)}, ${requests}`] as const;
}

function listSeries({ series }: AccountPlan): readonly Row[] {
  return [
    ['series', 'a project', 'all'],
    ...series.map(({ mode, project, total }, index) => [
      `series.mode: ${mode}${index === 0 ? ' (configured)' : ''}`,
      renderCount(project),
      renderCount(total),
    ]),
  ];
}

/** A sentence on the requests of the service's own meter, where it is read. */
function renderMeter({ meter }: AccountPlan): string[] {
  if (meter === undefined) return [];
  const { eachHour, eachDay, perMinute } = meter;
  return [
    `The meter of the service takes ${renderCount(eachHour)} requests each hour and ${renderCount(eachDay)} more each day, besides and at most ${perMinute} a minute.`,
    '',
  ];
}

/** One sentence on the size the history grows to. */
function renderHistory({ historyBytes }: AccountPlan): string {
  const { samples, hours, days, operations } = historyBytes;
  const all = sumOf(Object.values(historyBytes));
  const parts = [
    `raw readings ${renderBytes(samples)}`,
    `hours ${renderBytes(hours)}`,
    `days ${renderBytes(days)}`,
    `operations ${renderBytes(operations)}`,
  ];
  return `The history grows to about ${renderBytes(all)}, once all of it is as old as it is kept: ${parts.join(', ')}.`;
}

/** Rows as lines with aligned columns, numbers to the right. */
function renderColumns(rows: readonly Row[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => maxOf(rows.map(row => row[column]?.length ?? 0)));
  const [first = 0] = widths;
  return rows.map(([title = '', ...cells]) =>
    [title.padEnd(first), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('  '),
  );
}

/** Sentences on what all shards take together, and on whether they are enough. */
function renderShards({ plan }: AccountPlan, shards: ShardPlan): string[] {
  const { count, memoryBytes, series, stored, scrapeMs, proven } = shards;
  const lists = renderCount(plan.allowed.lists * count);
  const again = renderCount(plan.allowed.lists * (count - 1));
  const kept = (engine: StorageEngine) => {
    const { perDay, perSample } = stored[engine];
    return `${renderBytes(perDay)} a day (${perSample} bytes a sample)`;
  };
  return [
    `A shard takes about ${renderBytes(memoryBytes)} of memory. All of them show ${renderCount(series)} series, which, scraped every ${renderDuration(scrapeMs)}, take Prometheus up to ${kept('prometheus')} and VictoriaMetrics ${kept('victoriametrics')}.`,
    `Each shard reads the whole list: ${lists} requests a minute of all shards, ${again} more than one exporter for all projects.`,
    count < proven
      ? `One exporter is proven to 10,000 projects and 2 million series: ${proven} shards keep each within that.`
      : 'Each is no larger than one exporter is proven to be.',
  ];
}

/** Plans as one text. */
export function renderPlans(plans: readonly SourcedPlan[], format: PlanFormat): string {
  switch (format) {
    case 'table':
      return renderPlanTables(plans);
    case 'json':
      return renderPlanJson(plans);
  }
}
