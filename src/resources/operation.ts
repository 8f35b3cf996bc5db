import { later, laterAmount, laterInstant, laterText, readerOf, specified, vital } from './declared-field.ts';
import { hourMs } from './duration.ts';
import { accountLabels, declareFor, type HistogramValue, projectLabels, seconds } from './family.ts';
import { asCount, asFields, asIdentifier, asInstant, asWord } from './field.ts';
import type { ListDefinition } from './list-definition.ts';

/** Actions of the specification; others pass through as they come. */
export const knownActions = [
  'apply_config',
  'check_availability',
  'create_branch',
  'create_timeline',
  'delete_tenant',
  'start_compute',
  'suspend_compute',
] as const;

const successes = new Set(['finished', 'skipped']);
export const failureStatuses = ['failed', 'error', 'cancelled'];
const failures = new Set(failureStatuses);

/** Statuses of the specification and those seen on live services; others pass through and count as unfinished. */
export const knownStatuses = ['scheduling', 'running', 'cancelling', ...successes, ...failures];

/** An unfinished operation that is older is stuck: a start takes seconds, none takes an hour. */
export const stuckAfterMs = hourMs;

/** Whether operations of a status have ended, well or not. */
export function hasEnded(status: string): boolean {
  return successes.has(status) || failures.has(status);
}

/** Whether operations of a status have ended in failure. */
export function hasFailed(status: string): boolean {
  return failures.has(status);
}

/** An operation as lists and single reads report it; instants in epoch milliseconds. */
export type Operation = NonNullable<ReturnType<typeof decodeOperation>>;

const readOperation = readerOf({
  branch_id: specified('branch_id', asIdentifier),
  endpoint_id: specified('endpoint_id', asIdentifier),
  failures_count: vital('failures_count', asCount),
  created_at: vital('created_at', asInstant),
  updated_at: vital('updated_at', asInstant),
  total_duration_ms: later('total_duration_ms', laterAmount),
  error: later('error', laterText),
  retry_at: later('retry_at', laterInstant),
});

function decodeOperation(item: unknown) {
  const fields = asFields(item);
  const operation_id = asIdentifier(fields?.id);
  const action = asWord(fields?.action);
  const status = asWord(fields?.status);
  if (!fields || !operation_id || !action || !status) return undefined;
  return readOperation({ operation_id, action, status }, fields);
}

export const operationList: ListDefinition<Operation> = {
  route: '/projects/{project_id}/operations',
  itemsKey: 'operations',
  pageLimit: 1000,
  decode: decodeOperation,
  identify: operation => operation.operation_id,
};

/** Where one operation is read; its answer is `{ operation }`. */
export const operationRoute = '/projects/{project_id}/operations/{operation_id}';

/** Decodes the answer to the read of one operation; undefined when it cannot be used. */
export function decodeOperationAnswer(body: unknown): Operation | undefined {
  return decodeOperation(asFields(body)?.operation);
}

/** Sums over the operations of one project. */
export interface OperationTotals {
  readonly ended: readonly {
    readonly action: string;
    readonly status: string;
    readonly count: number;
    readonly lastEndedAt?: number;
  }[];
  readonly attemptFailures: readonly { readonly action: string; readonly count: number }[];
  readonly inProgress: readonly {
    readonly action: string;
    readonly status: string;
    readonly count: number;
  }[];
  readonly oldestInProgressAt?: number;
  /** When the service tries the next of those in progress again; absent where it does not say. */
  readonly nextRetryAt?: number;
}

/** A project, as far as its operations go. */
export interface HasOperations {
  /** Absent until they were read back to their beginning. */
  readonly operations?: OperationTotals;
}

/** The `action` label of counts over all actions together, in compact mode. */
export const anyAction = 'any';

function addCounts(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** When an operation of each action last ended in failure, if one ever did. */
function findLastFailures(operations: OperationTotals | undefined): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const { action, status, lastEndedAt } of operations?.ended ?? []) {
    if (!hasFailed(status) || lastEndedAt === undefined) continue;
    latest.set(action, Math.max(lastEndedAt, latest.get(action) ?? 0));
  }
  return latest;
}

const { gauge, gaugeBy, counterBy } = declareFor<HasOperations>()(projectLabels);

export const operationFamilies = {
  ended: counterBy(
    'dbpm_operations_total',
    'Operations of the project that reached an end, each counted once, by how they ended (polled).',
    ['action', 'status'],
    ({ operations }, emit) => {
      if (operations === undefined) return;
      const born = new Map<string, readonly [number, string, string]>();
      for (const action of knownActions) {
        for (const status of ['finished', 'failed'])
          born.set(JSON.stringify([action, status]), [0, action, status]);
      }
      for (const { action, status, count } of operations.ended) {
        born.set(JSON.stringify([action, status]), [count, action, status]);
      }
      for (const sample of born.values()) emit(...sample);
    },
    {
      whenCompact: {
        sample({ operations }, emit) {
          if (operations === undefined) return;
          const total = (hasFailedAs: boolean) =>
            addCounts(operations.ended.filter(({ status }) => hasFailed(status) === hasFailedAs));
          emit(total(false), anyAction, 'finished');
          emit(total(true), anyAction, 'failed');
        },
      },
    },
  ),
  attemptFailures: counterBy(
    'dbpm_operation_attempt_failures_total',
    'Failed attempts of the operations of the project: growth of their failures_count (polled).',
    ['action'],
    ({ operations }, emit) => {
      if (operations === undefined) return;
      const born = new Map<string, number>(knownActions.map(action => [action, 0]));
      for (const { action, count } of operations.attemptFailures) born.set(action, count);
      for (const [action, count] of born) emit(count, action);
    },
    {
      whenCompact: {
        sample({ operations }, emit) {
          if (operations !== undefined) emit(addCounts(operations.attemptFailures), anyAction);
        },
      },
    },
  ),
  inProgress: gaugeBy(
    'dbpm_operations_in_progress',
    'Operations of the project that have not reached an end (polled).',
    ['action', 'status'],
    ({ operations }, emit) => {
      for (const { action, status, count } of operations?.inProgress ?? []) emit(count, action, status);
    },
  ),
  oldestInProgressTimestamp: gauge(
    'dbpm_operation_oldest_in_progress_timestamp_seconds',
    'When the oldest operation of the project that has not reached an end was created (polled).',
    ({ operations }) => seconds(operations?.oldestInProgressAt),
  ),
  nextRetryTimestamp: gauge(
    'dbpm_operation_next_retry_timestamp_seconds',
    'When the service next tries an unfinished operation of the project again (polled).',
    ({ operations }) => seconds(operations?.nextRetryAt),
    { isOptional: true },
  ),
  lastFailureTimestamp: gaugeBy(
    'dbpm_operation_last_failure_timestamp_seconds',
    'When an operation of the project last ended in failure; absent until one did (polled).',
    ['action'],
    ({ operations }, emit) => {
      for (const [action, at] of findLastFailures(operations)) emit(at / 1000, action);
    },
    {
      whenCompact: {
        sample({ operations }, emit) {
          const [newest] = [...findLastFailures(operations)].sort(([, one], [, other]) => other - one);
          if (newest !== undefined) emit(newest[1] / 1000, newest[0]);
        },
      },
    },
  ),
};

/** How long the ended operations of an account took, by action. */
export interface OperationDuration {
  readonly action: string;
  readonly seconds: HistogramValue;
}

/** An account, as far as the durations of its operations go. */
export interface HasOperationDurations {
  /** Absent while operations from before are still being imported: a histogram would grow by them. */
  readonly operationDurations?: readonly OperationDuration[];
}

/** Upper bounds in seconds: a start takes a few of them, a stuck operation days. */
export const operationDurationBuckets = [1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86400];

const neverObserved: HistogramValue = {
  cumulativeCounts: operationDurationBuckets.map(() => 0),
  count: 0,
  sum: 0,
};

export const operationDurationFamilies = {
  duration: declareFor<HasOperationDurations>()(accountLabels).histogram(
    'dbpm_operation_duration_seconds',
    'Time from creation to the last update of ended operations (polled).',
    ['action'],
    operationDurationBuckets,
    (account, emit) => {
      if (account.operationDurations === undefined) return;
      const born = new Map<string, HistogramValue>(knownActions.map(action => [action, neverObserved]));
      for (const { action, seconds } of account.operationDurations) born.set(action, seconds);
      for (const [action, seconds] of born) emit(seconds, action);
    },
  ),
};
