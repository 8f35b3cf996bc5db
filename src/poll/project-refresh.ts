import type { Collector } from '../resources/collector.ts';
import type { Operation } from '../resources/operation.ts';
import type { OperationProgress, OperationsReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { OperationPage } from './account-source.ts';
import { overlapMs, reaches } from './operation-mark.ts';
import { pollPartially } from './partial-poll.ts';
import { attempt, momentOf, type RefreshContext } from './refresh-context.ts';

const recentPageLimit = 100;
const importPageLimit = 1000;
const mostFollowed = 20;

/**
 * Reads one project: its endpoints, then its operations back to what is known, then single operations that have
 * not ended; while the operations were never read to their beginning, page after page of older ones. When it is
 * allowed to be light, its newest operations alone, unless they show something new.
 */
export async function* refreshProject(context: RefreshContext): AsyncGenerator<Reading, void, undefined> {
  const startedAt = context.now();
  const light = await pollPartially(context, startedAt);
  if (light !== undefined) return yield light;
  const { project_id, source, signal } = context;
  const endpoints = await attempt(context, 'endpoints', () => source.endpoints(project_id, signal));
  const failed = (collector: Collector, reason: Reason): Reading => ({
    kind: 'failure',
    collector,
    reason,
    ...momentOf(context, startedAt),
  });
  if (endpoints.reason !== undefined) {
    yield failed('endpoints', endpoints.reason);
    if (endpoints.reason === 'unauthorized' || endpoints.reason === 'not_found') return;
  }
  const operations = await attempt(context, 'operations', () => readRecent(context));
  const read = endpoints.value ?? operations.value;
  if (read !== undefined) {
    yield {
      kind: 'project',
      ...momentOf(context, startedAt),
      servedAt: read.servedAt,
      ...(endpoints.value && { endpoints: endpoints.value }),
      ...(operations.value && { operations: operations.value }),
    };
  }
  // After what was read: a key revoked in between must not look accepted again.
  if (operations.reason !== undefined) yield failed('operations', operations.reason);
  if (operations.value === undefined) return;
  const { followFailure, progress } = operations.value;
  if (followFailure !== undefined) yield failed('operations', followFailure);
  yield* importOlder(context, progress);
}

interface RecentOperations extends OperationsReading {
  readonly followFailure?: Reason;
}

/** The newest operations back to what is known; of a project never read before only the first page. */
async function readRecent(context: RefreshContext): Promise<RecentOperations> {
  const { source, project_id, signal, known } = context;
  const limit = known.headAt === undefined ? importPageLimit : recentPageLimit;
  const items: Operation[] = [];
  let rejected = 0;
  let servedAt = 0;
  let progress: OperationProgress = known;
  for await (const page of source.operationPages(project_id, { limit }, signal)) {
    items.push(...page.items);
    rejected += page.rejected;
    servedAt = page.servedAt;
    const headAt = newestCreatedAt(page, progress.headAt);
    if (known.headAt === undefined) {
      progress = { headAt, ...(page.cursor !== undefined && { tailCursor: page.cursor }) };
      break;
    }
    progress = { ...progress, headAt };
    if (reaches(page, known.headAt - overlapMs)) break;
  }
  const followed = await followOpen(context, new Set(items.map(({ operation_id }) => operation_id)));
  const { headAt = 0, tailCursor } = progress;
  return {
    items: [...items, ...followed.items],
    rejected,
    servedAt: Math.max(servedAt, followed.servedAt),
    vanishedIds: followed.vanishedIds,
    progress: { headAt, ...(tailCursor !== undefined && { tailCursor }) },
    ...(followed.reason !== undefined && { followFailure: followed.reason }),
  };
}

/** Never later than the service's own clock: a date from the future must not hide what comes next. */
function newestCreatedAt(page: OperationPage, headAt = 0): number {
  return page.items.reduce(
    (newest, { created_at = 0 }) =>
      created_at <= page.servedAt + overlapMs ? Math.max(newest, created_at) : newest,
    headAt,
  );
}

/** Reads those known as unfinished that the pages did not show; a few at a time, in turn. */
async function followOpen(context: RefreshContext, shownIds: ReadonlySet<string>) {
  const { source, project_id, signal, known } = context;
  const openIds = known.openIds.filter(operation_id => !shownIds.has(operation_id));
  const first = openIds.length > mostFollowed ? (context.pollsBefore * mostFollowed) % openIds.length : 0;
  const turn = [...openIds.slice(first), ...openIds.slice(0, first)].slice(0, mostFollowed);
  const items: Operation[] = [];
  const vanishedIds: string[] = [];
  let servedAt = 0;
  let reason: Reason | undefined;
  for (const operation_id of turn) {
    const read = await attempt(context, 'operations', () =>
      source.operation(project_id, operation_id, signal),
    );
    if (read.value !== undefined) {
      items.push(read.value.operation);
      servedAt = read.value.servedAt;
    } else if (read.reason === 'not_found') vanishedIds.push(operation_id);
    else {
      reason = read.reason;
      break;
    }
  }
  return { items, servedAt, vanishedIds, reason };
}

/** Goes on where an earlier import stopped; a cursor the service no longer takes starts it again from the top. */
async function* importOlder(
  context: RefreshContext,
  { headAt, tailCursor }: OperationProgress,
): AsyncGenerator<Reading, void, undefined> {
  if (tailCursor === undefined || headAt === undefined) return;
  const { project_id, source, signal, now } = context;
  let startedAt = now();
  try {
    const options = { cursor: tailCursor, limit: importPageLimit };
    for await (const { items, rejected, servedAt, cursor } of source.operationPages(
      project_id,
      options,
      signal,
    )) {
      yield {
        kind: 'operation_import',
        ...momentOf(context, startedAt),
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
    const reason = source.reasonOf(error);
    if (reason === undefined) throw error;
    context.onFailure('operations', error);
    if (reason === 'malformed') {
      const moment = momentOf(context, startedAt);
      const { servedAt } = moment;
      const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: {} };
      yield { kind: 'operation_import', ...moment, operations };
    }
    yield { kind: 'failure', collector: 'operations', reason, ...momentOf(context, startedAt) };
  }
}
