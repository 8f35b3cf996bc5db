import { isAwake } from '../resources/endpoint.ts';
import { largest } from '../resources/extreme.ts';
import type { ProjectReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import { attempt, momentOf, type PollContext } from './poll-context.ts';
import type { UseAnswer } from './scheduler/cpu-source-watch.ts';
import { findComputeChanges } from './scheduler/project/rest-history.ts';

/** Answers that say that the service does not tell the use of a project there at all. */
const tellNothing: ReadonlySet<Reason> = new Set(['forbidden', 'not_found', 'bad_request', 'malformed']);

/**
 * Reads the use of a project for itself, where the list of projects does not tell it and it was awake since it was last read.
 * Throws the signal's reason.
 *
 * @param reading what was just read of the project.
 */
export async function* pollUsage(
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
  const moment = momentOf(context, startedAt);
  if (reason !== undefined && !tellNothing.has(reason)) {
    return {
      answer: 'failed',
      reading: { kind: 'failure', collector: 'projects', ofUse: true, reason, ...moment },
    };
  }
  const { compute_time_seconds } = value?.usage ?? {};
  if (value === undefined || compute_time_seconds === undefined) {
    if (reason === undefined || reason === 'not_found') context.onFailure('projects', new Error(untold));
    return { answer: 'untold' };
  }
  const usage = { ...value.usage, compute_time_seconds };
  return { answer: 'told', reading: { kind: 'project_usage', ...moment, servedAt: value.servedAt, usage } };
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
  return past.length === 0 ? undefined : largest(past);
}
