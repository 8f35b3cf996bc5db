import type { Reading } from '../resources/reading.ts';
import { markOperations, overlapMs, reaches } from './operation-mark.ts';
import { attempt, momentOf, type PollContext } from './poll-context.ts';

const partialPageLimit = 10;

/** The reading of a partial poll when it is enough, or why it failed; undefined when the poll must be full. */
export async function pollPartially(context: PollContext, startedAt: number): Promise<Reading | undefined> {
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
