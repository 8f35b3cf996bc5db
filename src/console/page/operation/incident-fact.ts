import type { KnownEndpoint, KnownProject } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { dayMs, hourMs, secondMs } from '../../../resources/duration.ts';
import { hasFailed, stuckAfterMs } from '../../../resources/operation.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import { readStates, readTimeline } from '../project/timeline.ts';
import type { IncidentAnswer, IncidentEndpoint, IncidentFacts } from './incident-answer.ts';
import { writeOperation } from './operation-answer.ts';

/** On both sides of the operation. */
const aroundMs = 1.5 * hourMs;
const mostEndpoints = 12;
const mostStates = 200;
/** The time of the operation itself is shown no shorter than a minute, and no longer. */
const momentMs = [60 * secondMs, hourMs] as const;
const elsewhereMs = 12 * hourMs;
const oftenDays = 30;
const mostElsewhere = 100;
const shownElsewhere = 8;
const mostBefore = 10;

/** Reads an operation with its endpoint, and what happened before, after and elsewhere. */
export function readFacts(
  history: BrowsedHistory,
  project: KnownProject,
  found: KnownOperation,
  now: number,
): IncidentFacts {
  const { project_ref, account, project_id } = project;
  const beganAt = found.created_at ?? found.ended_at ?? now;
  const endedAt = found.phase === 'ended' ? (found.ended_at ?? beganAt) : now;
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
  const open = history.operations.countOpen({ account, project_id }, stuckAfterMs).open;
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
    moment:
      own === undefined
        ? null
        : (readMoment(history, own, { beganAt: outSince, endedAt, awakeAt }) ??
          readMoment(history, own, { beganAt, endedAt, awakeAt })),
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

/** The states of the endpoint from shortly before the operation, or before the first of its series, until shortly after it, or until it was awake. */
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

/** How often such an operation failed, what else did before and since, and what changed the endpoint. */
function readBefore(
  { incidents }: BrowsedHistory,
  { project_ref, endpoint_id, action, operation_id }: KnownOperation,
  beganAt: number,
) {
  const untilAt = beganAt + 1;
  const fromAt = Math.floor(beganAt / dayMs) * dayMs - (oftenDays - 1) * dayMs;
  const ofEndpoint = { project_ref, endpoint_id: endpoint_id ?? '', fromAt, untilAt };
  const counted = new Map(incidents.byDay({ ...ofEndpoint, action }).map(each => [each.day, each]));
  const days = Array.from({ length: oftenDays }, (_, day) => {
    const { ended = 0, failed = 0 } = counted.get(day) ?? {};
    return { from: writeInstant(fromAt + day * dayMs), ended, failed };
  });
  const failed = incidents.failedOfProject({ project_ref, fromAt, untilAt, most: mostBefore + 1 });
  const since = { project_ref, fromAt: untilAt, untilAt: Number.MAX_SAFE_INTEGER, most: mostBefore };
  const change = endpoint_id === null ? undefined : incidents.lastChange({ ...ofEndpoint, untilAt: beganAt });
  return {
    often: {
      from: writeInstant(fromAt),
      until: writeInstant(untilAt),
      ended: days.reduce((sum, each) => sum + each.ended, 0),
      failed: days.reduce((sum, each) => sum + each.failed, 0),
      usual_ms: incidents.usualMs({ ...ofEndpoint, action }) ?? null,
      days,
    },
    failed_before: failed
      .filter(each => each.operation_id !== operation_id)
      .slice(0, mostBefore)
      .map(writeOperation),
    failed_since: incidents.failedOfProject(since).map(writeOperation),
    change_before: change === undefined ? null : writeOperation(change),
  };
}

function readElsewhere({ operations }: BrowsedHistory, found: KnownOperation, endedAt: number) {
  const span = { fromAt: endedAt - elsewhereMs, untilAt: endedAt + elsewhereMs };
  const failed = operations.failed({ action: found.action, ...span, most: mostElsewhere + 1 });
  const others = failed.filter(({ project_ref }) => project_ref !== found.project_ref);
  const regions = new Set(others.flatMap(({ region_id }) => region_id ?? []));
  return {
    from: writeInstant(span.fromAt),
    until: writeInstant(span.untilAt),
    count: Math.min(others.length, mostElsewhere),
    is_count_cut: failed.length > mostElsewhere,
    regions: [...regions].toSorted(),
    operations: others.slice(0, shownElsewhere).map(writeOperation),
  };
}

function readStuckElsewhere({ operations }: BrowsedHistory, { project_ref }: KnownOperation) {
  const stuck = operations
    .open({ longerThanMs: stuckAfterMs, most: mostElsewhere })
    .filter(each => each.project_ref !== project_ref);
  return { count: stuck.length, operations: stuck.slice(0, shownElsewhere).map(writeOperation) };
}

/** Starts of a series that are told. */
const mostStarts = 100;

/** Starts that failed with a longer pause between them are no attempts at one thing. */
const longestPauseMs = hourMs;

/** The starts around one that failed, with short pauses and no compute between them. */
function readFailedStarts(
  history: BrowsedHistory,
  { project_ref, action, created_at }: KnownOperation,
  { endpoint_ref, endpoint_id }: KnownEndpoint,
  awakeAt: number | undefined,
): IncidentAnswer['failed_starts'] {
  if (created_at === null) return null;
  const untilAt = awakeAt ?? Number.MAX_SAFE_INTEGER;
  const asked = { project_ref, endpoint_id, action, untilAt, most: mostStarts };
  const begun = history.incidents.failedOfEndpoint(asked).flatMap(each => each.created_at ?? []);
  let [first, last, count] = [created_at, created_at, 1];
  for (const at of begun.filter(each => each > created_at).toReversed()) {
    if (at - last > longestPauseMs) break;
    last = at;
    count += 1;
  }
  for (const at of begun.filter(each => each < created_at)) {
    if (first - at > longestPauseMs || !wasOut(history, endpoint_ref, at, awakeAt)) break;
    first = at;
    count += 1;
  }
  const is_count_cut = begun.length === mostStarts && first === begun.at(-1);
  return { count, is_count_cut, first: writeInstant(first), last: writeInstant(last) };
}

/** Whether an endpoint ran at no time from an instant on until it was next awake. */
function wasOut(
  { incidents, projects }: BrowsedHistory,
  endpoint_ref: number,
  at: number,
  awakeAt: number | undefined,
): boolean {
  if (incidents.nextAwakeAt(endpoint_ref, at) !== awakeAt) return false;
  const { states } = readStates(projects, endpoint_ref, { fromAt: at, untilAt: at + 1 }, 1);
  return states[0]?.[1] !== 'active';
}

function readDoneSince({ incidents }: BrowsedHistory, found: KnownOperation, fromAt: number) {
  const { project_ref, endpoint_id, action } = found;
  const done = incidents.doneSince({ project_ref, endpoint_id: endpoint_id ?? '', action, fromAt });
  return {
    operations: done.finished,
    starts: endpoint_id === null ? 0 : done.starts,
    last_start: endpoint_id === null ? null : writeMaybeInstant(done.last_start_at),
    alike: done.alike,
    last_alike: writeMaybeInstant(done.last_alike_at),
    settings: done.settings,
  };
}
