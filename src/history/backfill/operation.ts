import type { BackfillPart } from '../../resources/backfill.ts';
import { compact } from '../../resources/field.ts';
import { type OperationTotals, operationFamilies } from '../../resources/operation.ts';
import { statementsOf } from '../file/statement.ts';
import type { KnownOperation } from '../usage/operation-query.ts';
import { type BackfillProject, type BackfillSource, replay } from './source.ts';

/** `updated_at` is the end of an operation that has ended; of any other it is when more was last known. */
interface OperationRow
  extends Pick<KnownOperation, 'action' | 'status' | 'failures_count' | 'created_at' | 'phase'> {
  readonly updated_at: number | null;
}

interface EndedCount {
  readonly action: string;
  readonly status: string;
  count: number;
  lastEndedAt?: number;
}

type Count = { readonly action: string; count: number };

/** Status shown of an ended operation while it was under way: the real one was not written down. */
const whileRunning = 'running';

/** Series of operations, counted back from how many there are by now. */
export function backfillOperations(source: BackfillSource): readonly BackfillPart[] {
  const statements = prepare(source);
  const { ended, attemptFailures, lastFailureTimestamp } = operationFamilies;
  const { inProgress, oldestInProgressTimestamp } = operationFamilies;
  const known = source.watchedProjects.filter(({ operationsKnown }) => operationsKnown);
  const rowsOf = ({ project_ref, account_ref }: BackfillProject) =>
    statements.operations(project_ref).map(row => ({
      ...row,
      action: source.words.labelOf(account_ref, 'action', row.action),
      status: source.words.labelOf(account_ref, 'status', row.status),
    }));
  return [
    {
      metrics: [ended.name, attemptFailures.name, lastFailureTimestamp.name],
      subjects: known.map(project => () => {
        const counts = statements.ended(project.project_ref);
        const failures = statements.attemptFailures(project.project_ref);
        return backfillEnded(source, project, rowsOf(project), counts, failures);
      }),
    },
    {
      metrics: [inProgress.name, oldestInProgressTimestamp.name],
      subjects: known.map(project => () => backfillInProgress(source, project, rowsOf(project))),
    },
  ];
}

function backfillEnded(
  { instants }: BackfillSource,
  project: BackfillProject,
  rows: readonly OperationRow[],
  counts: readonly EndedCount[],
  failures: readonly Count[],
): Iterable<unknown> {
  const endedBy = new Map(counts.map(row => [keyOf(row), row]));
  const failuresBy = new Map(failures.map(row => [row.action, row]));
  const events = rows
    .map(row => ({ ...row, at: row.updated_at ?? row.created_at ?? 0 }))
    .sort((one, other) => one.at - other.at);
  const step = (row: OperationRow, sign: 1 | -1) => {
    const attempts = failuresBy.get(row.action);
    if (attempts !== undefined) attempts.count += sign * row.failures_count;
    const ended = row.phase === 'ended' ? endedBy.get(keyOf(row)) : undefined;
    if (ended !== undefined) ended.count += sign;
  };
  for (const event of events) step(event, -1);
  for (const ended of counts) {
    // The end of the last pruned operation is known only where none ended since.
    const isLastPruned = events.every(({ phase, ...event }) => keyOf(event) !== keyOf(ended));
    if (ended.count === 0 || !isLastPruned) delete ended.lastEndedAt;
  }
  return replay(instants, project.life, events, {
    apply(event) {
      step(event, 1);
      const ended = event.phase === 'ended' ? endedBy.get(keyOf(event)) : undefined;
      if (ended !== undefined) ended.lastEndedAt = event.at;
    },
    show: () =>
      view(project, {
        ended: [...endedBy.values()].map(copy),
        attemptFailures: [...failuresBy.values()].map(copy),
      }),
  });
}

function backfillInProgress(
  { instants }: BackfillSource,
  project: BackfillProject,
  rows: readonly OperationRow[],
): Iterable<unknown> {
  const open = new Set<OperationRow>();
  const events = rows
    .flatMap(row => {
      const beganAt = row.created_at ?? row.updated_at ?? 0;
      const began = { at: beganAt, row, isOpen: true };
      if (row.phase === 'open') return [began];
      return [began, { at: Math.max(beganAt, row.updated_at ?? beganAt), row, isOpen: false }];
    })
    .sort((one, other) => one.at - other.at);
  return replay(instants, project.life, events, {
    apply({ row, isOpen }) {
      if (isOpen) open.add(row);
      else open.delete(row);
    },
    show() {
      const counts = new Map<string, OperationTotals['inProgress'][number]>();
      let oldestInProgressAt: number | undefined;
      for (const { action, phase, created_at, ...row } of open) {
        const status = phase === 'open' ? row.status : whileRunning;
        const key = keyOf({ action, status });
        counts.set(key, { action, status, count: 1 + (counts.get(key)?.count ?? 0) });
        if (created_at !== null) oldestInProgressAt = Math.min(created_at, oldestInProgressAt ?? created_at);
      }
      return view(project, { inProgress: [...counts.values()], ...compact({ oldestInProgressAt }) });
    },
  });
}

function view({ account, project_id }: BackfillProject, totals: Partial<OperationTotals>) {
  const operations: OperationTotals = { ended: [], attemptFailures: [], inProgress: [], ...totals };
  return { account, project_id, endpoints: [], operations };
}

function keyOf({ action, status }: { readonly action: string; readonly status: string }): string {
  return JSON.stringify([action, status]);
}

function copy<Value extends object>(value: Value): Value {
  return { ...value };
}

function prepare({ database }: BackfillSource) {
  const sql = statementsOf(database);
  return {
    operations: sql.all<[number], OperationRow>`
      SELECT action, status, failures_count, created_at, updated_at, phase
      FROM operation WHERE project_ref = ?`,
    ended: sql.all<[number], EndedCount>`
      SELECT action, status, count, last_ended_at AS lastEndedAt FROM operation_count WHERE project_ref = ?`,
    attemptFailures: sql.all<[number], Count>`
      SELECT action, count FROM attempt_failure_count WHERE project_ref = ?`,
  };
}
