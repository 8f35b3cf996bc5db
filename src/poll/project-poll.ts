import { isAwake } from '../resources/endpoint.ts';
import { maxOf } from '../resources/min-max.ts';
import type { ProjectReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import {
  importOlderOperations,
  markOperations,
  overlapMs,
  reaches,
  readRecentOperations,
} from './operation-poll.ts';
import { attempt, failureOf, momentOfProject, type PollContext } from './poll-context.ts';
import type { UseAnswer } from './scheduler/cpu-source-watch.ts';
import { findComputeChanges } from './scheduler/project/rest-history.ts';

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
  if (read.reason !== undefined) return failureOf(context, startedAt, 'operations', read.reason);
  const page = read.value;
  if (page === undefined || page.rejected > 0) return undefined;
  if (page.cursor !== undefined && !reaches(page, headAt - overlapMs)) return undefined;
  if (markOperations(page.items, headAt) !== unlessMark) return undefined;
  const { servedAt } = page;
  const operations = { items: [], servedAt, rejected: 0, vanishedIds: [], progress: { headAt } };
  return { kind: 'project', ...momentOfProject(context, startedAt), servedAt, unchanged: true, operations };
}

/**
 * Polls one project: its endpoints, then its operations back to what is known, then single operations that have not
 * ended, then its use where the list does not tell it; while the operations were never read to their beginning, page after
 * page of older ones. A partial poll reads its newest operations alone, unless they show something new. Throws the
 * signal's reason.
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
  if (endpoints.reason !== undefined) {
    yield failureOf(context, startedAt, 'endpoints', endpoints.reason);
    if (endpoints.reason === 'not_found') return;
  }
  const operations = await attempt(context, 'operations', () => readRecentOperations(context));
  const read = endpoints.value ?? operations.value;
  if (read !== undefined) {
    const reading: ProjectReading = {
      kind: 'project',
      ...momentOfProject(context, startedAt),
      servedAt: read.servedAt,
      ...(endpoints.value && { endpoints: endpoints.value }),
      ...(operations.value && { operations: operations.value }),
    };
    yield reading;
    yield* pollUsage(context, reading);
  }
  // After what was read: a key revoked in between must not look accepted again.
  if (operations.reason !== undefined) yield failureOf(context, startedAt, 'operations', operations.reason);
  if (operations.value === undefined) return;
  const { failure, progress } = operations.value;
  if (failure !== undefined) yield failureOf(context, startedAt, 'operations', failure);
  yield* importOlderOperations(context, progress);
}

/** Answers that say that the service does not tell the use of a project there at all. */
const tellNothing: ReadonlySet<Reason> = new Set(['forbidden', 'not_found', 'bad_request', 'malformed']);

/**
 * Reads the use of a project for itself, where the list of projects does not tell it and it was awake since it was last read.
 * Throws the signal's reason.
 *
 * @param reading what was just read of the project.
 */
async function* pollUsage(
  context: PollContext,
  reading: ProjectReading,
): AsyncGenerator<Reading, void, undefined> {
  const { usage } = context;
  const { servedAt } = reading;
  if (usage === undefined) return;
  const awakeAt = findAwakeAt(reading);
  if (awakeAt !== undefined) usage.age.noteAwake(awakeAt);
  if (!usage.age.isDue(servedAt) || !usage.source.begin()) return;
  usage.age.noteTried(servedAt);
  let answer: UseAnswer = 'failed';
  try {
    const read = await readUsage(context);
    answer = read.answer;
    if (read.reading !== undefined) yield read.reading;
  } finally {
    usage.source.end(answer, context.now());
  }
}

async function readUsage(context: PollContext): Promise<{ answer: UseAnswer; reading?: Reading }> {
  const { project_id, source, signal } = context;
  const startedAt = context.now();
  const { value, reason } = await attempt(context, 'projects', () => source.usage(project_id, signal));
  if (reason !== undefined && !tellNothing.has(reason)) {
    const reading = { ...failureOf(context, startedAt, 'projects', reason), ofUse: true } as const;
    return { answer: 'failed', reading };
  }
  const { compute_time_seconds } = value?.usage ?? {};
  if (value === undefined || compute_time_seconds === undefined) {
    if (reason === undefined || reason === 'not_found') context.onFailure('projects', new Error(untold));
    return { answer: 'untold' };
  }
  const usage = { ...value.usage, compute_time_seconds };
  const moment = { ...momentOfProject(context, startedAt), servedAt: value.servedAt };
  return { answer: 'told', reading: { kind: 'project_usage', ...moment, usage } };
}

const untold =
  'GET /projects/{project_id} does not tell compute_time_seconds: what the project uses is not known while the list of projects does not tell cpu_used_sec';

/** When a project was last awake, as far as a reading shows. */
function findAwakeAt({ endpoints, operations, servedAt }: ProjectReading): number | undefined {
  const states = endpoints?.items ?? [];
  const changes = findComputeChanges(operations?.items ?? []);
  const isRunning = endpoints === undefined && changes.at(-1)?.action === 'start_compute';
  if (isRunning || states.some(isAwake)) return servedAt;
  const instants = [
    ...changes.map(({ updatedAt }) => updatedAt),
    ...states.map(({ last_active = 0 }) => last_active),
  ];
  const past = instants.filter(at => at > 0 && at <= servedAt);
  return past.length === 0 ? undefined : maxOf(past);
}
