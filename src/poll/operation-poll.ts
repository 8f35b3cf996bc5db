import { minuteMs } from '../resources/duration.ts';
import type { Operation } from '../resources/operation.ts';
import type { OperationProgress, OperationsReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { OperationPage } from './account-source.ts';
import { attempt, failureOf, momentOfProject, type PollContext, UnusableOperations } from './poll-context.ts';

const recentPageLimit = 100;
/** Requests that a poll may spend on single operations. */
const mostFollowed = 20;

/** The operations of a full poll, with why not all that is new was read, or following one that had not ended failed. */
interface RecentOperations extends OperationsReading {
  readonly failure?: Reason;
}

/**
 * The newest operations back to what is known, of a project never polled before only the first page; then single
 * operations that had not ended when they were last seen. Throws where the list, or most of it, cannot be read.
 */
export async function readRecentOperations(context: PollContext): Promise<RecentOperations> {
  const { source, project_id, signal, known } = context;
  const limit = known.headAt === undefined ? importPageLimit : recentPageLimit;
  const items: Operation[] = [];
  let rejected = 0;
  let servedAt = 0;
  let progress: OperationProgress = known;
  let wasBrokenOff = false;
  for await (const page of source.operationPages(project_id, { limit }, signal)) {
    for (const item of page.items) items.push(item);
    rejected += page.rejected;
    servedAt = page.servedAt;
    const headAt = newestCreatedAt(page, progress.headAt);
    if (known.headAt === undefined) {
      progress = { headAt, ...(page.cursor !== undefined && { tailCursor: page.cursor }) };
      break;
    }
    progress = { ...progress, headAt };
    wasBrokenOff = page.end === 'repeated_cursor' || page.end === 'cap';
    if (reaches(page, known.headAt - overlapMs)) break;
  }
  if (rejected > items.length) throw new UnusableOperations(rejected, items.length);
  // The next poll reads from there again: what lies between would be lost for good.
  const isTorn = wasBrokenOff && !reachesKnown(items, known.headAt);
  if (isTorn) {
    progress = known;
    context.onFailure('operations', new Error(torn));
  }
  const followed = await followOpen(context, new Set(items.map(({ operation_id }) => operation_id)));
  const { headAt = 0, tailCursor } = progress;
  const failure = isTorn ? 'malformed' : followed.reason;
  return {
    items: [...items, ...followed.items],
    rejected,
    servedAt: Math.max(servedAt, followed.servedAt),
    vanishedIds: followed.vanishedIds,
    progress: { headAt, ...(tailCursor !== undefined && { tailCursor }) },
    ...(failure !== undefined && { failure }),
  };
}

const torn =
  'the list of operations repeats a page before it comes to known ones: it is read again from there with the next poll';

const tornImport =
  'the list of operations repeats a page before its end: operations older than that page are not known';

function reachesKnown(items: readonly Operation[], headAt = 0): boolean {
  return items.some(({ created_at }) => created_at !== undefined && created_at <= headAt);
}

/** Never later than the service's own clock: a date from the future must not hide what comes next. */
function newestCreatedAt(page: OperationPage, headAt = 0): number {
  return page.items.reduce(
    (newest, { created_at = 0 }) =>
      created_at <= page.servedAt + overlapMs ? Math.max(newest, created_at) : newest,
    headAt,
  );
}

/** Reads operations known as unfinished that the pages did not show; a few at a time, the next ones in the next poll. */
async function followOpen(context: PollContext, shownIds: ReadonlySet<string>) {
  const { source, project_id, signal, known, lost, now } = context;
  const openIds = known.openIds.filter(operation_id => !shownIds.has(operation_id));
  const first = openIds.length > mostFollowed ? (context.pollsBefore * mostFollowed) % openIds.length : 0;
  const followedIds = [...openIds.slice(first), ...openIds.slice(0, first)].slice(0, mostFollowed);
  const items: Operation[] = [];
  const vanishedIds: string[] = [];
  let servedAt = 0;
  let reason: Reason | undefined;
  for (const operation_id of followedIds) {
    const read = await attempt(context, 'operations', () =>
      source.operation(project_id, operation_id, signal),
    );
    if (read.value !== undefined) {
      items.push(read.value.operation);
      servedAt = read.value.servedAt;
      lost.find(project_id, operation_id);
    } else if (read.reason === 'not_found') {
      if (lost.miss(project_id, operation_id, now())) vanishedIds.push(operation_id);
    } else {
      reason = read.reason;
      break;
    }
  }
  return { items, servedAt, vanishedIds, reason };
}

/** An operation may show up in the list a little after it was created. */
export const overlapMs = minuteMs;

/**
 * A number that tells the newest operations of a project apart from others: the ones created since a minute before
 * `headAt`, in any order. One that ends, fails once more or shows up late changes it.
 */
export function markOperations(operations: readonly Operation[], headAt: number): number {
  let mark = 0;
  for (const {
    operation_id,
    status,
    failures_count = 0,
    created_at = headAt,
    updated_at = 0,
  } of operations) {
    if (created_at >= headAt - overlapMs) {
      mark = (mark + hash(`${operation_id} ${status} ${failures_count} ${updated_at}`)) >>> 0;
    }
  }
  return mark;
}

/** Whether the page ends with what is older; one odd date among newer ones must not cut the reading short. */
export function reaches({ items }: OperationPage, at: number): boolean {
  const oldest = items.findLast(({ created_at }) => created_at !== undefined)?.created_at;
  return oldest !== undefined && oldest < at;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** Operations on a page while they were never read before. */
const importPageLimit = 1000;

/**
 * Goes on reading older operations where an earlier import stopped, a reading a page; a cursor the service no longer
 * takes starts it again from the top, and one it repeats ends it. Throws the signal's reason.
 */
export async function* importOlderOperations(
  context: PollContext,
  { headAt, tailCursor }: OperationProgress,
): AsyncGenerator<Reading, void, undefined> {
  if (tailCursor === undefined || headAt === undefined) return;
  const { project_id, source, signal, now } = context;
  let startedAt = now();
  try {
    const options = { cursor: tailCursor, limit: importPageLimit };
    for await (const page of source.operationPages(project_id, options, signal)) {
      const { items, rejected, servedAt, cursor } = page;
      if (rejected > items.length)
        context.onFailure('operations', new UnusableOperations(rejected, items.length));
      // The first page once more is a list without pages, which is whole.
      if (page.end === 'repeated_cursor' && newestCreatedAt(page) < headAt)
        context.onFailure('operations', new Error(tornImport));
      yield {
        kind: 'operation_import',
        ...momentOfProject(context, startedAt),
        servedAt,
        operations: {
          items,
          servedAt,
          rejected,
          vanishedIds: [],
          progress: { headAt, ...(cursor !== undefined && { tailCursor: cursor }) },
        },
      };
      startedAt = now();
    }
  } catch (error) {
    signal.throwIfAborted();
    const reason = source.reasonOf(error);
    context.onFailure('operations', error);
    if (reason === 'bad_request' || reason === 'malformed') {
      const moment = momentOfProject(context, startedAt);
      const { servedAt } = moment;
      const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: {} };
      yield { kind: 'operation_import', ...moment, operations };
    }
    yield failureOf(context, startedAt, 'operations', reason);
  }
}
