import type { Collector } from '../resources/collector.ts';
import type { ProjectReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { importOlderOperations } from './operation-import.ts';
import { pollPartially } from './partial-poll.ts';
import { attempt, momentOf, type PollContext } from './poll-context.ts';
import { readRecentOperations } from './recent-operations.ts';
import { pollUsage } from './usage-poll.ts';

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
