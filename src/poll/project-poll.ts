import type { Collector } from '../resources/collector.ts';
import type { ProjectReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { importOlderOperations } from './operation-import.ts';
import { markOperations, overlapMs, reaches } from './operation-mark.ts';
import { attempt, momentOf, type PollContext } from './poll-context.ts';
import { readRecentOperations } from './recent-operations.ts';
import { pollUsage } from './usage-poll.ts';

const partialPageLimit = 10;

/** The reading of a partial poll when it is enough, or why it failed; undefined when the poll must be full. */
async function pollPartially(context: PollContext, startedAt: number): Promise<Reading | undefined> {
  const { source, project_id, signal, known, unlessMark } = context;
  const { headAt } = known;
  if (unlessMark === undefined || headAt === undefined) return undefined;
  const read = await attempt(context, 'operations', async () => {
    const pages = source.operationPages(project_id, { limit: partialPageLimit }, signal);
    for await (const page of pages) return page;
    return undefined;
  });
  if (read.reason !== undefined) {
    return { kind: 'failure', collector: 'operations', reason: read.reason, ...momentOf(context, startedAt) };
  }
  const page = read.value;
  if (page === undefined || page.rejected > 0) return undefined;
  if (page.cursor !== undefined && !reaches(page, headAt - overlapMs)) return undefined;
  if (markOperations(page.items, headAt) !== unlessMark) return undefined;
  const { servedAt } = page;
  const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: { headAt } };
  return { kind: 'project', ...momentOf(context, startedAt), servedAt, unchanged: true, operations };
}

/**
 * Polls one project: its endpoints, then its operations back to what is known, then single operations that have
 * not ended, then its use where the list does not tell it; while the operations were never read to their beginning, page after page of older ones. When a partial
 * poll is allowed, its newest operations alone, unless they show something new. Throws the signal's reason.
 */
export async function* pollProject(context: PollContext): AsyncGenerator<Reading, void, undefined> {
  const startedAt = context.now();
  const partial = await pollPartially(context, startedAt);
  if (partial !== undefined) {
    yield partial;
    if (partial.kind === 'project') yield* pollUsage(context, partial);
    return;
  }
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
    if (endpoints.reason === 'not_found') return;
  }
  const operations = await attempt(context, 'operations', () => readRecentOperations(context));
  const read = endpoints.value ?? operations.value;
  if (read !== undefined) {
    const reading: ProjectReading = {
      kind: 'project',
      ...momentOf(context, startedAt),
      servedAt: read.servedAt,
      ...(endpoints.value && { endpoints: endpoints.value }),
      ...(operations.value && { operations: operations.value }),
    };
    yield reading;
    yield* pollUsage(context, reading);
  }
  // After what was read: a key revoked in between must not look accepted again.
  if (operations.reason !== undefined) yield failed('operations', operations.reason);
  if (operations.value === undefined) return;
  const { followFailure, progress } = operations.value;
  if (followFailure !== undefined) yield failed('operations', followFailure);
  yield* importOlderOperations(context, progress);
}
