import type { Operation } from '../resources/operation.ts';
import type { OperationProgress, OperationsReading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { OperationPage } from './account-source.ts';
import { importPageLimit } from './operation-import.ts';
import { overlapMs, reaches } from './operation-mark.ts';
import { attempt, type PollContext } from './poll-context.ts';
import { UnusableOperations } from './unusable-operations.ts';

const recentPageLimit = 100;
/** Requests that a poll may spend on single operations. */
const mostFollowed = 20;

/** The operations of a full poll, with why following one that had not ended failed. */
export interface RecentOperations extends OperationsReading {
  readonly followFailure?: Reason;
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
    if (reaches(page, known.headAt - overlapMs)) break;
  }
  if (rejected > items.length) throw new UnusableOperations(rejected, items.length);
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

/** Reads those known as unfinished that the pages did not show; a few at a time, the next ones in the next poll. */
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
