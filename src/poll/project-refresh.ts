import { type Collector, collectors } from '../resources/collector.ts';
import type { Operation } from '../resources/operation.ts';
import type { OperationProgress, OperationsReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { AccountSource, OperationPage } from './account-source.ts';
import { markOperations, overlapMs } from './operation-mark.ts';

export interface RefreshContext {
  readonly account: string;
  readonly project_id: string;
  readonly source: AccountSource;
  /** Those that are on: what the others would read is not asked for. All by default. */
  readonly collectors?: readonly Collector[];
  /** How far the operations are known, and which known ones have not ended. */
  readonly known: OperationProgress & { readonly openIds: readonly string[] };
  /** How often the project was read before: says whose turn it is among more open operations than are followed at once. */
  readonly round: number;
  /** Of its operations when they were last read: as long as it is the same, they alone are read. */
  readonly unlessMark?: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Told of every failure of the service, for the log. */
  readonly onFailure: (collector: Collector, error: unknown) => void;
}

const recentPageLimit = 100;
const importPageLimit = 1000;
const lightPageLimit = 10;
const mostFollowed = 20;

/**
 * Reads one project: its endpoints, then its operations back to what is known, then single operations that have
 * not ended; while the operations were never read to their beginning, page after page of older ones. When it is
 * allowed to be light, its newest operations alone, unless they show something new.
 */
export async function* refreshProject(context: RefreshContext): AsyncGenerator<Reading, void, undefined> {
  const startedAt = context.now();
  const light = await readLight(context, startedAt);
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

/** What a light reading is when it is enough, or why it failed; undefined when the whole project is to be read. */
async function readLight(context: RefreshContext, startedAt: number): Promise<Reading | undefined> {
  const { source, project_id, signal, known, unlessMark } = context;
  const { headAt } = known;
  if (unlessMark === undefined || headAt === undefined) return undefined;
  const read = await attempt(context, 'operations', async () => {
    const pages = source.operationPages(project_id, { limit: lightPageLimit }, signal);
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

function momentOf({ account, project_id, now }: RefreshContext, startedAt: number) {
  const readAt = now();
  return { account, project_id, readAt, servedAt: readAt, durationMs: readAt - startedAt };
}

/** What was read or why it was not; neither where it is not asked for. */
interface Attempted<Value> {
  readonly value?: Value;
  readonly reason?: Reason;
}

async function attempt<Value>(
  { source, collectors: enabled = collectors, onFailure }: RefreshContext,
  collector: Collector,
  read: () => Promise<Value>,
): Promise<Attempted<Value>> {
  if (!enabled.includes(collector)) return {};
  try {
    return { value: await read() };
  } catch (error) {
    const reason = source.reasonOf(error);
    if (reason === undefined) throw error;
    if (reason !== 'not_found') onFailure(collector, error);
    return { reason };
  }
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

/** Whether the page ends with what is older; one odd date among newer ones must not cut the reading short. */
function reaches({ items }: OperationPage, at: number): boolean {
  const oldest = items.findLast(({ created_at }) => created_at !== undefined)?.created_at;
  return oldest !== undefined && oldest < at;
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
  const first = openIds.length > mostFollowed ? (context.round * mostFollowed) % openIds.length : 0;
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
