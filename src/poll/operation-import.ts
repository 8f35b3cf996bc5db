import type { OperationProgress, Reading } from '../resources/reading.ts';
import { momentOf, type PollContext } from './poll-context.ts';

/** Operations on a page of those that were never read before. */
export const importPageLimit = 1000;

/**
 * Goes on reading older operations where an earlier import stopped, a reading a page; a cursor the service no longer
 * takes starts it again from the top. Throws the signal's reason.
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
    signal.throwIfAborted();
    const reason = source.reasonOf(error);
    context.onFailure('operations', error);
    if (reason === 'bad_request' || reason === 'malformed') {
      const moment = momentOf(context, startedAt);
      const { servedAt } = moment;
      const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: {} };
      yield { kind: 'operation_import', ...moment, operations };
    }
    yield { kind: 'failure', collector: 'operations', reason, ...momentOf(context, startedAt) };
  }
}
