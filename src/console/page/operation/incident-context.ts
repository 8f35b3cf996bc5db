import type { BrowsedOperation } from '../../../history/browse/browsed-operation.ts';
import type { KnownEndpoint } from '../../../history/browse/browsed-project.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { dayMs, hourMs } from '../../../resources/duration.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { readStates } from '../project/timeline.ts';
import type { IncidentAnswer } from './incident-answer.ts';
import { writeOperation } from './operation-answer.ts';

const elsewhereMs = 12 * hourMs;
const oftenDays = 30;
const mostElsewhere = 100;
const shownElsewhere = 8;
const mostBefore = 10;

/** How often such an operation failed, what else did, and what changed the endpoint. */
export function readBefore(
  { incidents }: BrowsedHistory,
  { project_ref, endpoint_id, action, operation_id }: BrowsedOperation,
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
    change_before: change === undefined ? null : writeOperation(change),
  };
}

export function readElsewhere({ operations }: BrowsedHistory, found: BrowsedOperation, endedAt: number) {
  const span = { fromAt: endedAt - elsewhereMs, untilAt: endedAt + elsewhereMs };
  const filter = { account: '', project_id: '', action: found.action };
  const failed = operations.failed(filter, span, { most: mostElsewhere + 1 });
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

export function readStuckElsewhere({ operations }: BrowsedHistory, { project_ref }: BrowsedOperation) {
  const anything = { account: '', project_id: '', action: '' };
  const stuck = operations
    .open(anything, { most: mostElsewhere })
    .filter(each => each.project_ref !== project_ref)
    .map(writeOperation)
    .filter(({ outcome }) => outcome === 'stuck');
  return { count: stuck.length, operations: stuck.slice(0, shownElsewhere) };
}

/** Starts of a series that are told. */
const mostStarts = 100;

/** Starts that failed with a longer pause between them are no attempts at one thing. */
const longestPauseMs = hourMs;

/** The starts around one that failed, with short pauses and no compute between them. */
export function readFailedStarts(
  history: BrowsedHistory,
  { project_ref, action, created_at }: BrowsedOperation,
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

export function readDoneSince({ incidents }: BrowsedHistory, found: BrowsedOperation, fromAt: number) {
  const { project_ref, endpoint_id } = found;
  const done = incidents.doneSince({ project_ref, endpoint_id: endpoint_id ?? '', fromAt });
  return {
    operations: done.finished,
    starts: endpoint_id === null ? 0 : done.starts,
    last_start: endpoint_id === null ? null : writeMaybeInstant(done.last_start_at),
  };
}
