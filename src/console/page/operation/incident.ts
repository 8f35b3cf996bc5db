import { shareByGroup } from '../../../cost/rating/group-share.ts';
import type { BrowsedOperation } from '../../../history/browse/browsed-operation.ts';
import type { KnownEndpoint, KnownProject } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { hourMs, secondMs } from '../../../resources/duration.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { hasFailed, stuckAfterMs } from '../../../resources/operation.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { outerLinksOf } from '../../outer-link.ts';
import { definePage } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { curlOf } from '../../part/curl.ts';
import { readStates, readTimeline } from '../project/timeline.ts';
import {
  type IncidentAnswer,
  type IncidentEndpoint,
  type IncidentFacts,
  type IncidentQuery,
  incidentAnswer,
  incidentQuery,
} from './incident-answer.ts';
import {
  readBefore,
  readDoneSince,
  readElsewhere,
  readFailedStarts,
  readStuckElsewhere,
} from './incident-context.ts';
import { drawIncident, headOfIncident } from './incident-drawing.ts';
import { sayIncident } from './incident-word.ts';
import { endOf, writeOperation } from './operation-answer.ts';

/** On both sides of the operation. */
const aroundMs = 1.5 * hourMs;
const mostEndpoints = 12;
const mostStates = 200;
/** The time of the operation itself is shown no shorter than a minute, and no longer. */
const momentMs = [60 * secondMs, hourMs] as const;

/** An operation: what it means, whom it hits, what to do, and what happened around it. */
export const incidentPage = definePage({
  path: '/operations/{account}/{project_id}/{operation_id}',
  apiPath: '/operations/{account}/{project_id}/{operation_id}',
  title: 'Operation',
  summary:
    'An operation: what it means, whom it hits, what to do next, how often it happened, and the timeline around it. In place of its id, last-failed and oldest-open name one of the project.',
  isListed: false,
  words: ['operation', 'attempt', 'awake'],
  query: incidentQuery,
  answer: incidentAnswer,
  read({ config, history }, asked, { now }) {
    const { account, project_id } = asked;
    const base_url = config.accounts.find(({ name }) => name === account)?.base_url ?? '$BASE_URL/';
    const found = history.look(known => {
      const project = known.projects.find(account, project_id);
      const operation = project && findOperation(known, project, asked);
      if (project === undefined || operation === undefined) return undefined;
      const facts = readFacts(known, project, operation, now);
      const paths = shareByGroup(config.groupings).groupsOf(known.matches.find(account, project_id));
      const groups = paths.filter(path => !path.endsWith(`/${ungrouped}`));
      return { ...facts, groups };
    });
    if (found === undefined) throw noSuchOperation(asked);
    const { operation_id, endpoint_id, branch_id } = found.operation;
    const values = { account, project_id, operation_id, endpoint_id, branch_id };
    return {
      ...found,
      ...sayIncident(found, now),
      links: outerLinksOf(config.links, ['operation', 'endpoint', 'branch', 'project'], values),
      request: curlOf('GET', base_url, 'projects', project_id, 'operations', operation_id),
    };
  },
  titleOf: ({ title }) => title,
  head: headOfIncident,
  draw: drawIncident,
});

function findOperation(
  { incidents }: BrowsedHistory,
  { project_ref }: KnownProject,
  { operation_id, action }: IncidentQuery,
): BrowsedOperation | undefined {
  if (operation_id === 'oldest-open') return incidents.oldestOpen(project_ref);
  if (operation_id !== 'last-failed') return incidents.find(project_ref, operation_id);
  // Alerts on a compact page name no action.
  return incidents.lastFailed(project_ref, action === 'any' ? '' : action);
}

function readFacts(
  history: BrowsedHistory,
  project: KnownProject,
  found: BrowsedOperation,
  now: number,
): IncidentFacts &
  Omit<
    IncidentAnswer,
    'title' | 'meaning' | 'impact' | 'next_steps' | 'runbook' | 'request' | 'links' | 'groups'
  > {
  const { project_ref, account, project_id } = project;
  const beganAt = found.created_at ?? endOf(found) ?? now;
  const endedAt = found.phase === 'ended' ? (endOf(found) ?? beganAt) : now;
  const endpoints = history.projects.endpoints(project_ref);
  const own = endpoints.find(({ endpoint_id }) => endpoint_id === found.endpoint_id);
  const others = endpoints.filter(
    ({ endpoint_id, gone_at }) =>
      endpoint_id !== found.endpoint_id && (gone_at === null || gone_at > beganAt),
  );
  const endpoint = own === undefined ? null : writeEndpoint(history, own, beganAt);
  const awakeAt = own && history.incidents.nextAwakeAt(own.endpoint_ref, beganAt);
  const isOut =
    found.action === 'start_compute' && hasFailed(found.status) && endpoint?.state_then !== 'active';
  const failedStarts = isOut && own !== undefined ? readFailedStarts(history, found, own, awakeAt) : null;
  const outSince = failedStarts === null ? beganAt : Date.parse(failedStarts.first);
  const open = history.operations.countOpen({ account, project_id, action: '' }, stuckAfterMs).open;
  return {
    operation: writeOperation(found),
    endpoint,
    branch_name:
      found.branch_id === null ? null : (history.incidents.branchName(project_ref, found.branch_id) ?? null),
    other_endpoints: others.slice(0, mostEndpoints).map(each => writeEndpoint(history, each, beganAt)),
    other_endpoints_left_out: Math.max(0, others.length - mostEndpoints),
    awake_at: writeMaybeInstant(awakeAt),
    without_compute_ms: isOut && awakeAt !== undefined ? awakeAt - outSince : null,
    failed_starts: failedStarts,
    read_at: writeMaybeInstant(project.last_refresh_at),
    others_in_progress: Math.max(0, open - (found.phase === 'open' ? 1 : 0)),
    done_since: found.phase === 'open' ? readDoneSince(history, found, beganAt) : null,
    ...readBefore(history, found, beganAt),
    elsewhere: readElsewhere(history, found, endedAt),
    stuck_elsewhere: found.phase === 'open' ? readStuckElsewhere(history, found) : null,
    timeline: readTimeline(history, {
      ...project,
      fromAt: beganAt - aroundMs,
      untilAt:
        found.phase === 'open'
          ? Math.max(now, beganAt)
          : Math.min(Math.max(now, beganAt), beganAt + aroundMs),
    }),
    moment: own === undefined ? null : readMoment(history, own, { beganAt, endedAt, awakeAt }),
  };
}

function writeEndpoint(
  { projects }: BrowsedHistory,
  endpoint: KnownEndpoint,
  beganAt: number,
): IncidentEndpoint {
  const { endpoint_ref, endpoint_id, branch_id, current_state, min_cu, max_cu, gone_at, known_until } =
    endpoint;
  const isKnown = known_until !== null && known_until >= beganAt;
  const { states } = readStates(projects, endpoint_ref, { fromAt: beganAt, untilAt: beganAt + 1 }, 1);
  return {
    ...{ endpoint_id, branch_id, state: current_state, min_cu, max_cu },
    gone_at: writeMaybeInstant(gone_at),
    state_then: isKnown ? (states[0]?.[1] ?? null) : null,
  };
}

interface Times {
  readonly beganAt: number;
  readonly endedAt: number;
}

/** The states of the endpoint from shortly before the operation until shortly after it, or until it was awake. */
function readMoment(
  { projects }: BrowsedHistory,
  { endpoint_ref, known_until }: KnownEndpoint,
  { beganAt, endedAt, awakeAt }: Times & { readonly awakeAt: number | undefined },
): IncidentAnswer['moment'] {
  const [least, most] = momentMs;
  const lastAt = Math.max(endedAt, awakeAt !== undefined && awakeAt - endedAt < most ? awakeAt : endedAt);
  const length = Math.max(least, 1.4 * (lastAt - beganAt));
  if (length > most) return null;
  const fromAt = Math.floor((beganAt - 0.15 * length) / secondMs) * secondMs;
  const untilAt = Math.ceil((fromAt + length) / secondMs) * secondMs;
  const { states: begins } = readStates(projects, endpoint_ref, { fromAt, untilAt }, mostStates);
  const knownUntilAt = Math.min(untilAt, known_until ?? fromAt);
  const intervals = begins.flatMap(([at, state], index) => {
    const [from, until] = [Math.max(at, fromAt), Math.min(begins[index + 1]?.[0] ?? untilAt, knownUntilAt)];
    return from < until ? [{ from: writeInstant(from), until: writeInstant(until), state }] : [];
  });
  return { from: writeInstant(fromAt), until: writeInstant(untilAt), intervals };
}

function noSuchOperation({ account, project_id, operation_id, action }: IncidentQuery): PageProblem {
  const shown = (text: string) => [...text].slice(0, 80).join('');
  const list = addressOf('/operations', { account, project: shown(project_id), status: 'all' });
  const project = pathOf('projects', account, project_id);
  const [title, detail] =
    operation_id === 'last-failed'
      ? [
          'No operation failed',
          `The history has no failed operation ${shown(action)} of project "${shown(project_id)}".`,
        ]
      : operation_id === 'oldest-open'
        ? ['No operation is in progress', `All operations of project "${shown(project_id)}" have ended.`]
        : [
            'There is no such operation',
            `The history has no operation "${shown(operation_id)}" of project "${shown(project_id)}" of account "${shown(account)}". It may not have been read yet, or be older than history.keep_operations.`,
          ];
  return new PageProblem(404, title, detail.replace('  ', ' '), [project, list, '/operations']);
}
