import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { AwakeSession, KnownEndpoint, KnownProject } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { dayMs, type Span } from '../../../resources/duration.ts';
import type { Grouping } from '../../../resources/grouping.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import { readCursor } from '../../keyset.ts';
import { outerLinksOf } from '../../outer-link.ts';
import { type ConsoleSources, definePage } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { addressOf } from '../../part/address.ts';
import { describeRest } from '../../progress.ts';
import type { ReportQuestion } from '../../report-cache/report-set.ts';
import { readRows } from '../../report-row.ts';
import { savingOf, sumSavings } from '../../written-saving.ts';
import { writeFinding } from '../finding/finding-answer.ts';
import { partOf, writeOperation } from '../operation/operation-answer.ts';
import { askDailyUse, writeDailyUse } from './daily-use.ts';
import { drawProject } from './drawn-project.ts';
import { drawProjectHead } from './drawn-project-head.ts';
import { writeProjectForecast } from './forecast.ts';
import { readRange } from './project-range.ts';
import {
  type EndpointAnswer,
  type FindingsAnswer,
  type ProjectQuery,
  projectAnswer,
  projectQuery,
  type SessionAnswer,
} from './project-schema.ts';
import { readTimeline } from './timeline.ts';
import { askWhatIf, writeWhatIf } from './what-if.ts';

const mostEndpoints = 50;
const mostOperations = 8;

/** A project: its endpoints, their states, its use and cost, its operations and its findings. */
export const projectPage = definePage({
  path: '/projects/{account}/{project_id}',
  title: 'Project',
  summary:
    'A project: what its endpoints did, used and cost, its operations and findings, and what other settings save.',
  reads: ['projects', 'endpoints', 'operations'],
  words: ['compute_unit', 'compute_hour', 'forecast_band', 'awake', 'wake_up', 'suspend_delay', 'finding'],
  query: projectQuery,
  answer: projectAnswer,
  async read(sources, query, context) {
    const { now, showsPersonal } = context;
    const range = readRange(query, now);
    const { groupings } = sources.config;
    const own = sources.history.look(history => readOwn(history, query, { range, now, groupings }));
    if (own === undefined) throw noSuchProject(query);
    const { project, ...rest } = own;
    const { account, project_id, project_name, platform_id, region_id, pg_version } = project;
    const [figures, findings] = await Promise.all([
      readFigures(sources, project, query, range),
      readProjectFindings(sources, project),
    ]);
    const { accounts, ...shown } = figures;
    return {
      ...{ account, project_id, project_name, platform_id, region_id, pg_version },
      created_at: writeMaybeInstant(project.created_at),
      last_read_at: writeMaybeInstant(project.last_refresh_at),
      gone_at: writeMaybeInstant(project.gone_at),
      recoverable_until: writeMaybeInstant(project.recoverable_until),
      owner_id: showsPersonal ? project.owner_id : null,
      org_id: showsPersonal ? project.org_id : null,
      org_name: showsPersonal ? project.org_name : null,
      links: outerLinksOf(sources.config.links, ['project'], { account, project_id }),
      ...rest,
      rests_on: accounts === undefined ? null : describeRest(accounts, context),
      ...{ ...shown, findings },
    };
  },
  titleOf: ({ project_name, project_id }) => (project_name ?? project_id).slice(0, 120),
  asOf: ({ as_of, findings }) => [as_of, findings.as_of].filter(each => each !== null).toSorted()[0],
  restsOn: ({ rests_on }) => rests_on,
  isPart: ({ rests_on, findings }) => rests_on?.is_whole !== true || findings.pending,
  head: drawProjectHead,
  draw: drawProject,
});

/** Use, cost, forecast and what other settings would have saved: all of one instant. */
async function readFigures(
  { config, reports }: ConsoleSources,
  project: KnownProject,
  query: ProjectQuery,
  range: Span,
) {
  const { account, project_id } = project;
  const daily = askDailyUse(config, project, range);
  const whatIf = askWhatIf(query);
  const asked: Readonly<Record<string, ReportQuestion>> = {
    usage: { kind: 'usage', options: daily },
    ...(config.pricing && { cost: { kind: 'cost', options: daily } }),
    ...(project.gone_at === null && {
      forecast: { kind: 'forecast', options: { project: `${account}/${project_id}` } },
    }),
    ...(whatIf && { what_if: { kind: 'findings', options: whatIf } }),
  };
  const names = Object.keys(asked);
  const set = await reports.askSoon({ reports: Object.values(asked) });
  const isPending = set === undefined;
  const report = (name: string) => set?.reports?.[names.indexOf(name)];
  return {
    accounts: set?.accounts,
    as_of: set?.reports === undefined ? null : writeInstant(set.at),
    use: writeDailyUse(
      { usage: report('usage'), cost: report('cost') },
      isPending ? names.filter(name => name === 'usage' || name === 'cost') : [],
    ),
    forecast: writeProjectForecast(report('forecast'), project, isPending),
    what_if: writeWhatIf(report('what_if'), query, isPending),
  };
}

interface OwnContext {
  readonly range: Span;
  readonly now: number;
  readonly groupings: readonly Grouping[];
}

function readOwn(history: BrowsedHistory, query: ProjectQuery, { range, now, groupings }: OwnContext) {
  const { account, project_id, cursor } = query;
  const project = history.projects.find(account, project_id);
  if (project === undefined) return undefined;
  const endpoints = history.projects.endpoints(project.project_ref);
  return {
    project,
    groups: [...shareByGroup(groupings).groupsOf(history.matches.find(account, project_id))],
    endpoints: endpoints.slice(0, mostEndpoints).map(writeEndpoint),
    endpoints_left_out: Math.max(0, endpoints.length - mostEndpoints),
    timeline: readTimeline(history, { ...range, ...project }),
    open_operations: listOpen(history, query),
    failed_operations: listFailed(history, query, now),
    operations: listOperations(history, project, cursor),
  };
}

function listOpen({ operations }: BrowsedHistory, { account, project_id }: ProjectQuery) {
  return operations.open({ account, project_id, most: mostOperations }).map(writeOperation);
}

/** Days back in which operations that failed are looked for. */
const failedMs = 30 * dayMs;
const mostFailed = 10;

function listFailed({ operations }: BrowsedHistory, { account, project_id }: ProjectQuery, now: number) {
  const recently = { fromAt: now - failedMs, untilAt: now };
  return operations.failed({ account, project_id, ...recently, most: mostFailed }).map(writeOperation);
}

function listOperations({ operations }: BrowsedHistory, { project_ref }: KnownProject, cursor: string) {
  const [at, , operation_id] = readCursor(cursor, 3) ?? [];
  const after =
    at === undefined ? undefined : { at: Number(at), project_ref, operation_id: String(operation_id) };
  const ever = { fromAt: Number.MIN_SAFE_INTEGER, untilAt: Number.MAX_SAFE_INTEGER };
  const found = operations.ofProject(project_ref, { ...ever, after, most: mostOperations + 1 });
  return partOf(found, mostOperations, 'created_at');
}

function writeEndpoint(endpoint: KnownEndpoint): EndpointAnswer {
  const { endpoint_id, branch_id, type, current_state, pending_state, min_cu, max_cu } = endpoint;
  return {
    ...{ endpoint_id, branch_id, type, state: current_state, pending_state, min_cu, max_cu },
    last_active: writeMaybeInstant(endpoint.last_active),
    gone_at: writeMaybeInstant(endpoint.gone_at),
  };
}

function noSuchProject({ account, project_id }: ProjectQuery): PageProblem {
  const shown = [...project_id].slice(0, 80).join('');
  return new PageProblem(
    404,
    'There is no such project',
    `The history has no project "${shown}" of account "${[...account].slice(0, 80).join('')}".`,
    [
      {
        address: addressOf('/projects', { q: shown, gone: 'all' }),
        words: `Projects with "${shown}" in their name or id`,
      },
      '/projects',
    ],
  );
}

/** Times awake that are shown with a finding. */
const mostSessions = 10;

/** The findings of a project: its rows of `report findings`. */
async function readProjectFindings(
  { reports, history }: ConsoleSources,
  { account, project_id, project_ref }: KnownProject,
): Promise<FindingsAnswer> {
  const set = await reports.askSoon({ reports: [{ kind: 'findings', options: {} }] });
  const [report] = set?.reports ?? [];
  const rows = report === undefined ? [] : readRows<'findings'>(report);
  const own = rows.filter(row => row.account === account && row.project_id === project_id);
  const sessionsOf = (endpoint_id: string) =>
    history.look(({ sessions }) => sessions.newest(project_ref, endpoint_id, mostSessions)) ?? [];
  return {
    currency: report?.currency ?? null,
    as_of: report ? writeInstant(report.generatedAt) : null,
    pending: set === undefined,
    ...sumSavings(own.map(savingOf)),
    findings: own.map(writeFinding).map(({ endpoint_id, up_to, evidence, advice, ...each }) => ({
      ...{ ...each, endpoint_id: endpoint_id ?? '', up_to: up_to ?? false },
      ...{ evidence: evidence ?? '', advice: advice ?? '' },
      sessions: sessionsOf(endpoint_id ?? '').map(writeSession),
    })),
  };
}

function writeSession({ from_at, until_at, last_used_at, checked_at }: AwakeSession): SessionAnswer {
  return {
    from: writeInstant(from_at),
    until: writeMaybeInstant(until_at),
    last_used_at: writeMaybeInstant(last_used_at),
    checked_at: writeMaybeInstant(checked_at),
  };
}
