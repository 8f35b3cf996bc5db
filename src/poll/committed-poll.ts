import { clockSkewMs } from '../resources/clock-skew.ts';
import type { Collector } from '../resources/collector.ts';
import { isAwake as isEndpointAwake } from '../resources/endpoint.ts';
import type { Operation } from '../resources/operation.ts';
import type {
  OperationImportReading,
  OperationProgress,
  ProjectReading,
  Reading,
} from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { AccountSource } from './account-source.ts';
import { markOperations } from './operation-poll.ts';
import { type LostOperations, momentOf, type PollContext } from './poll-context.ts';
import type { PollerOptions, PollProblem } from './poller-options.ts';
import { pollProject } from './project-poll.ts';
import type { ChosenPoll, PollOutcome } from './scheduler/chosen-poll.ts';

/** Told and asked while a project is polled. */
interface PollListeners {
  readonly onFailure: (reason: Reason) => void;
  /** Told of what was read while the operations of the project are not yet known to their beginning, and how far they were before. */
  readonly onImport: (reading: ProjectReading | OperationImportReading, before: OperationProgress) => void;
  readonly onAnswer: (collector: Collector) => void;
  /** Whether a project that is not found is gone, rather than everything. */
  readonly isGone: (collector: Collector) => Promise<boolean>;
}

interface CommittedPollOptions extends PollerOptions {
  /** Lost operations of all projects of the account, over polls. */
  readonly lost: LostOperations;
}

/**
 * Polls a project and commits what was read.
 *
 * @returns how the poll ended; `gone` when the service says that the project does not exist.
 * @throws a fault of our own, or the signal's reason.
 */
export async function runCommittedPoll(
  options: CommittedPollOptions,
  poll: ChosenPoll,
  listeners: PollListeners,
  signal: AbortSignal,
): Promise<PollOutcome | 'gone'> {
  const { watched, urgent } = poll;
  const { project_id, polls } = watched;
  const { source, count } = countRequests(urgent ? options.urgentSource : options.source);
  const imports = !polls.isImported;
  const seen = {
    ok: true,
    refused: false,
    full: false,
    skewMs: 0,
    operations: [] as readonly Operation[],
    mark: polls.operationMark,
  };
  for await (const reading of pollProject(contextOf(options, poll, source, signal))) {
    if (reading.kind === 'failure') {
      listeners.onFailure(reading.reason);
      if (reading.reason === 'not_found' && (await listeners.isGone(reading.collector))) {
        await commitGone(options, project_id, reading);
        return 'gone';
      }
      seen.ok = false;
      seen.refused ||= reading.reason === 'unauthorized';
    }
    const committed = await tryCommit(options, reading, 'operations', project_id);
    if (committed === undefined) {
      seen.ok = false;
      // The next page lies behind this one: committed alone, it would say that nothing before it is missing.
      if (reading.kind !== 'failure') break;
    } else if (reading.kind === 'project_usage') {
      watched.usage.noteRead(reading.servedAt);
    } else if (reading.kind === 'project' || reading.kind === 'operation_import') {
      const [checkpoint] = committed;
      const before = polls.known;
      if (checkpoint !== undefined) polls.continueFrom(checkpoint);
      else if (reading.operations !== undefined) polls.advance(reading.operations.progress);
      if (imports && reading.operations !== undefined) listeners.onImport(reading, before);
      if (reading.kind === 'project') {
        Object.assign(seen, learnFrom(reading, polls));
        for (const collector of ['endpoints', 'operations'] as const) {
          if (reading[collector] !== undefined) listeners.onAnswer(collector);
        }
      }
    }
  }
  const { mark, ...outcome } = seen;
  return { ...outcome, requests: count(), ...(mark !== undefined && { mark }) };
}

function contextOf(
  { account, collectors, lost, now, onProblem }: CommittedPollOptions,
  { watched, depth, cpuSource }: ChosenPoll,
  source: AccountSource,
  signal: AbortSignal,
): PollContext {
  const { project_id, polls } = watched;
  const { known, operationMark } = polls;
  return {
    ...{ account, project_id, source, collectors, known, lost, now, signal },
    pollsBefore: polls.count - 1,
    ...(cpuSource.current === 'project' && { usage: { age: watched.usage, source: cpuSource } }),
    onFailure: (collector, error) => onProblem({ collector, project_id, error }),
    ...(depth === 'partial' && operationMark !== undefined && { unlessMark: operationMark }),
  };
}

/** Dates of the service have whole seconds, and its lists may be a moment behind. */
const settlingMs = 10_000;

function learnFrom(reading: ProjectReading, { known, operationMark }: ChosenPoll['watched']['polls']) {
  const { endpoints, operations, unchanged, servedAt } = reading;
  const items = operations?.items ?? [];
  const isAwake = endpoints?.items.some(isEndpointAwake);
  const awake = isAwake === undefined ? {} : { isAwake };
  const learned = {
    ...awake,
    full: endpoints !== undefined,
    skewMs: clockSkewMs(reading),
    operations: items,
  };
  if (unchanged || operations === undefined) return { ...learned, mark: operationMark };
  // An operation that ended while the project was read may not show in its endpoints: they must be read again, not taken as they were.
  const isSettled = items.every(({ updated_at = 0 }) => updated_at < servedAt - settlingMs);
  return { ...learned, mark: isSettled ? markOperations(items, known.headAt ?? 0) : undefined };
}

async function commitGone(
  options: PollerOptions,
  project_id: string,
  { account, readAt, servedAt, durationMs }: Reading,
): Promise<void> {
  const gone: Reading = { kind: 'project_gone', account, project_id, readAt, servedAt, durationMs };
  await tryCommit(options, gone, 'projects', project_id);
}

/** A source that is the same as another one and counts the requests it is asked for, retries not among them. */
function countRequests(source: AccountSource): { readonly source: AccountSource; count(): number } {
  let requests = 0;
  const counted =
    <Asked extends readonly unknown[], Answer>(ask: (...asked: Asked) => Answer) =>
    (...asked: Asked): Answer => {
      requests += 1;
      return ask(...asked);
    };
  return {
    source: {
      ...source,
      endpoints: counted((...asked) => source.endpoints(...asked)),
      usage: counted((...asked) => source.usage(...asked)),
      operation: counted((...asked) => source.operation(...asked)),
      async *operationPages(project_id, options, signal) {
        requests += 1;
        let isFirst = true;
        for await (const page of source.operationPages(project_id, options, signal)) {
          if (!isFirst) requests += 1;
          isFirst = false;
          yield page;
        }
      },
    },
    count: () => requests,
  };
}

type Failing = Pick<PollerOptions, 'account' | 'now' | 'commit' | 'onProblem'>;

/** Tells of what failed, and has it committed as a failure of a reading that began at `startedAt`. */
export async function commitFailure(
  options: Failing,
  { collector, project_id, error }: PollProblem,
  reason: Reason,
  startedAt: number,
): Promise<void> {
  const about = { collector, ...(project_id !== undefined && { project_id }) };
  options.onProblem({ ...about, error });
  const failure: Reading = { kind: 'failure', reason, ...about, ...momentOf(options, startedAt) };
  await tryCommit(options, failure, collector, project_id);
}

/** Tells of a fault of our own, and has it committed. */
export function commitFault(options: Failing, fault: PollProblem): Promise<void> {
  return commitFailure(options, fault, 'internal', options.now());
}

interface Committing<Committed> extends Pick<PollerOptions, 'onProblem'> {
  readonly commit: (reading: Reading) => Promise<Committed>;
}

/** Hands a reading to the history; answers undefined when it was not written, which the history says. */
export async function tryCommit<Committed>(
  { commit, onProblem }: Committing<Committed>,
  reading: Reading,
  collector: Collector,
  project_id?: string,
): Promise<Committed | undefined> {
  try {
    return await commit(reading);
  } catch (error) {
    onProblem({ collector, error, ...(project_id !== undefined && { project_id }) });
    return undefined;
  }
}
