import type { SimulatedAccount } from './model/account.ts';
import {
  type Granularity,
  granularities,
  type HourRange,
  oldestHour,
  timeframeOf,
} from './model/later/billed-period.ts';
import { showConsumed, showMetered } from './model/later/consumption.ts';
import { resolveOrg } from './model/later/later-account.ts';
import { requireLater, requireTerms, startOfHour } from './model/later/metering.ts';
import { hourOf } from './model/meter/hour-series.ts';
import { meteredMetrics } from './model/meter/metered-metric.ts';
import { pageProjects } from './model/paging.ts';
import type { SimulatedProject } from './model/project.ts';
import { Refusal } from './model/refusal.ts';
import { readInstantQuery, readLimit, readList, readWord, readWords, showPagination } from './query.ts';
import { get, type Route } from './router.ts';

const largestPage = 100;
const defaultPage = 10;
const mostProjectIds = 100;

/** How a history shows a project. */
type Show = (project: SimulatedProject, granularity: Granularity, range: HourRange) => unknown;

/** The consumption histories; both count against one limit of their own. */
export function consumptionRoutes(account: SimulatedAccount, limitRate: () => void): readonly Route[] {
  if (account.later === undefined) return [];
  const route = (path: string, readShow: (query: URLSearchParams) => Show) =>
    get(path, ({ query }) => {
      limitRate();
      requirePlan(account);
      return listConsumption(account, query, readShow(query));
    });
  return [
    route('/consumption_history/v2/projects', query => {
      const metrics = readWords(query, 'metrics', meteredMetrics);
      return (project, granularity, range) => showMetered(account, project, granularity, range, { metrics });
    }),
    route('/consumption_history/projects', () => (project, granularity, range) => {
      return showConsumed(account, project, granularity, range);
    }),
  ];
}

function requirePlan(account: SimulatedAccount): void {
  if (requireTerms(account).plans.at(-1)?.plan !== 'free') return;
  throw new Refusal(403, 'this endpoint is not available for your plan: it needs a paid one');
}

function listConsumption(account: SimulatedAccount, query: URLSearchParams, show: Show) {
  const orgId = resolveOrg(requireTerms(account), query.get('org_id') ?? undefined);
  const granularity = readWord(query, 'granularity', granularities);
  const range = readRange(query, granularity, account.timeline.now);
  const ids = readList(query, 'project_ids', mostProjectIds);
  const limit = readLimit(query, largestPage) ?? defaultPage;
  const found = [...account.projects.values()]
    .filter(project => requireLater(project).orgId === orgId && existedIn(project, range))
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
  const page = pageProjects(found, query.get('cursor') ?? undefined, limit);
  return {
    projects: page.items.map(project => show(project, granularity, range)),
    ...showPagination(page.cursor),
  };
}

/** Deleted projects are told, too: they are billed for what they had used. */
function existedIn({ createdAt, deletedAt }: SimulatedProject, { fromHour, toHour }: HourRange): boolean {
  return createdAt < startOfHour(toHour) && (deletedAt ?? Number.POSITIVE_INFINITY) > startOfHour(fromHour);
}

/** From and to, each taken back to the beginning of its timeframe. */
function readRange(query: URLSearchParams, granularity: Granularity, now: number): HourRange {
  const read = (name: string) =>
    timeframeOf(granularity, hourOf(readInstantQuery(query, name) / 1000)).fromHour;
  const [fromHour, toHour] = [read('from'), read('to')];
  if (fromHour > toHour) throw new Refusal(400, 'from must not be later than to');
  if (fromHour >= oldestHour(granularity, now)) return { fromHour, toHour };
  throw new Refusal(
    406,
    'the specified date-time range is outside the boundaries of the specified granularity: ' +
      'adjust your from and to values or select a different granularity',
  );
}
