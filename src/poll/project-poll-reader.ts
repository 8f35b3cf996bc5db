import type { Operation } from '../resources/operation.ts';
import type { ProjectReading, Reading } from '../resources/reading.ts';
import type { Reason } from '../resources/reason.ts';
import type { PollOutcome, ProjectPoll } from '../scheduler/project-poll.ts';
import type { WatchedProject } from '../scheduler/watched-project.ts';
import type { AccountSource } from './account-source.ts';
import { countRequests } from './counted-source.ts';
import { markOperations } from './operation-mark.ts';
import { type PollerOptions, tryRecord } from './poller-options.ts';
import { refreshProject } from './project-refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

/** Told while a project is read. */
export interface ProjectPollListeners {
  readonly onFailure: (reason: Reason) => void;
  /** Told of operations that were read while those of the project are not yet known to their beginning. */
  readonly onImport: (operations: number) => void;
}

/** Makes one reading of a project and records it; answers how it ended. Throws what is no failure of the service. */
export async function runProjectPoll(
  options: PollerOptions,
  turn: ProjectPoll,
  listeners: ProjectPollListeners,
  signal: AbortSignal,
): Promise<PollOutcome | 'gone'> {
  const { watched, urgent } = turn;
  const { project_id, operationMark } = watched;
  const { source, count } = countRequests(urgent ? options.urgentSource : options.source);
  const imports = !watched.imported;
  const seen = {
    ok: true,
    full: false,
    skewMs: 0,
    operations: [] as readonly Operation[],
    mark: operationMark,
  };
  for await (const reading of refreshProject(contextOf(options, turn, source, signal))) {
    if (reading.kind === 'failure') {
      listeners.onFailure(reading.reason);
      if (reading.reason === 'not_found' && !watched.disputed) {
        await recordGone(options, project_id, reading);
        return 'gone';
      }
      seen.ok = false;
    }
    const recorded = await tryRecord(options, reading, 'operations', project_id);
    if (recorded === undefined) {
      seen.ok = false;
      // What comes next lies behind this: recorded alone, it would say that nothing before it is missing.
      if (reading.kind !== 'failure') break;
    } else if (reading.kind === 'project' || reading.kind === 'operation_import') {
      const [checkpoint] = recorded;
      if (checkpoint !== undefined) watched.stand(checkpoint);
      else if (reading.operations !== undefined) watched.progress(reading.operations.progress);
      if (imports && reading.operations !== undefined) listeners.onImport(reading.operations.items.length);
      if (reading.kind === 'project') Object.assign(seen, learnFrom(reading, watched));
    }
  }
  const { mark, ...outcome } = seen;
  return { ...outcome, requests: count(), ...(mark !== undefined && { mark }) };
}

function contextOf(
  { account, collectors, now, onProblem }: PollerOptions,
  { watched, depth }: ProjectPoll,
  source: AccountSource,
  signal: AbortSignal,
): RefreshContext {
  const { project_id, known, operationMark, polls } = watched;
  return {
    ...{ account, project_id, source, known, now, signal },
    pollsBefore: polls - 1,
    onFailure: (collector, error) => onProblem({ collector, project_id, error }),
    ...(collectors && { collectors }),
    ...(depth === 'light' && operationMark !== undefined && { unlessMark: operationMark }),
  };
}

/** Dates of the service have whole seconds, and its lists may be a moment behind. */
const settlingMs = 10_000;

function learnFrom(reading: ProjectReading, { known, operationMark }: WatchedProject) {
  const { endpoints, operations, unchanged, readAt, servedAt } = reading;
  const items = operations?.items ?? [];
  const learned = { full: endpoints !== undefined, skewMs: readAt - servedAt, operations: items };
  if (unchanged || operations === undefined) return { ...learned, mark: operationMark };
  // What ended while the project was read may not show in its endpoints: they must be read again, not taken as they were.
  const isSettled = items.every(({ updated_at = 0 }) => updated_at < servedAt - settlingMs);
  return { ...learned, mark: isSettled ? markOperations(items, known.headAt ?? 0) : undefined };
}

async function recordGone(
  options: PollerOptions,
  project_id: string,
  { account, readAt, servedAt, durationMs }: Reading,
): Promise<void> {
  const gone: Reading = { kind: 'project_gone', account, project_id, readAt, servedAt, durationMs };
  await tryRecord(options, gone, 'projects', project_id);
}
