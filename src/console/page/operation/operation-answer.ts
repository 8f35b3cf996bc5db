import * as v from 'valibot';
import type { BrowsedOperation } from '../../../history/browse/browsed-operation.ts';
import { hasFailed, stuckAfterMs } from '../../../resources/operation.ts';
import { instantField, writeMaybeInstant } from '../../answer-field.ts';
import { firstRows } from '../../keyset.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';

/** An operation in an answer. */
export const operationField = v.object({
  account: v.string(),
  project_id: v.string(),
  project_name: v.nullable(v.string()),
  region_id: v.nullable(v.string()),
  operation_id: v.string(),
  endpoint_id: v.nullable(v.string()),
  branch_id: v.nullable(v.string()),
  action: v.string(),
  status: v.string(),
  /** `unknown`: the service no longer has it, and its end was not read. */
  outcome: v.picklist(['succeeded', 'failed', 'in_progress', 'stuck', 'unknown']),
  failures_count: v.number(),
  created_at: v.nullable(instantField),
  ended_at: v.nullable(instantField),
  duration_ms: v.nullable(v.number()),
  error: v.nullable(v.string()),
  retry_at: v.nullable(instantField),
  /** Of one that failed: when the same was next done on the same endpoint; null where it was not. */
  worked_at: v.nullable(instantField),
});
export type OperationAnswer = v.InferOutput<typeof operationField>;

/** Operations that failed alike: a long list is folded by them. */
const alikeField = v.object({
  action: v.string(),
  region_id: v.nullable(v.string()),
  cause: v.string(),
  failed: v.number(),
  projects: v.number(),
  first: instantField,
  last: instantField,
});
export type AlikeAnswer = v.InferOutput<typeof alikeField>;

/** Some operations of many. */
const sectionField = v.object({
  count: v.number(),
  /** Whether there may be more than were counted. */
  is_count_cut: v.boolean(),
  operations: v.array(operationField),
  next_cursor: v.nullable(v.string()),
});

/** The state of the page of operations. */
export const operationQuery = v.object({
  range: choice(['24h', '7d', '30d']),
  account: text(),
  project: text(1000),
  action: text(),
  region: text(),
  /** The first of the service's words, as `alike` has them; none where it said nothing. */
  cause: text(),
  status: choice(['problems', 'failed', 'in_progress', 'all']),
  limit: limit(50, 200),
  cursor: cursor(),
});
export type OperationQuery = v.InferOutput<typeof operationQuery>;

/** Operations of all projects, and what can be asked for. */
export const operationsAnswer = v.object({
  from: instantField,
  until: instantField,
  /** An operation that goes on for longer is stuck. */
  stuck_after_ms: v.number(),
  accounts: v.array(v.string()),
  actions: v.array(v.string()),
  /** A few of the projects that have what `project` says in their name or id; null where one is called so, or none is asked for. */
  alike_projects: v.nullable(
    v.array(v.object({ account: v.string(), project_id: v.string(), project_name: v.nullable(v.string()) })),
  ),
  /** Null where they are not asked for. */
  failed: v.nullable(v.object({ ...sectionField.entries, alike: v.array(alikeField) })),
  in_progress: v.nullable(v.object({ ...sectionField.entries, stuck: v.number() })),
  /** All of one project, successes too. */
  all: v.nullable(v.object({ operations: v.array(operationField), next_cursor: v.nullable(v.string()) })),
});
export type OperationsAnswer = v.InferOutput<typeof operationsAnswer>;

export function writeOperation(operation: BrowsedOperation): OperationAnswer {
  const { account, project_id, project_name, region_id, operation_id, endpoint_id, branch_id } = operation;
  const { action, status, failures_count, durationMs, error } = operation;
  return {
    ...{ account, project_id, project_name, region_id, operation_id, endpoint_id, branch_id },
    ...{ action, status, outcome: outcomeOf(operation), failures_count },
    created_at: writeMaybeInstant(operation.created_at),
    ended_at: operation.phase === 'ended' ? writeMaybeInstant(endOf(operation)) : null,
    duration_ms: durationMs,
    error,
    retry_at: writeMaybeInstant(operation.retry_at),
    worked_at: writeMaybeInstant(operation.worked_at),
  };
}

/** When it was begun, as far as the service told. */
export function beginOf({ created_at }: BrowsedOperation): number | null {
  return created_at;
}

/** When it ended, as far as the service told. */
export function endOf({ updated_at, created_at }: BrowsedOperation): number | null {
  return updated_at ?? created_at;
}

function outcomeOf({ phase, status, readAt, created_at }: BrowsedOperation): OperationAnswer['outcome'] {
  if (phase === 'vanished') return 'unknown';
  if (phase === 'ended') return hasFailed(status) ? 'failed' : 'succeeded';
  const isStuck = readAt !== null && created_at !== null && readAt - created_at > stuckAfterMs;
  return isStuck ? 'stuck' : 'in_progress';
}

/** A part of a list, and the cursor of the next one. */
export function partOf(
  found: readonly BrowsedOperation[],
  limit: number,
  instantOf: (operation: BrowsedOperation) => number | null,
) {
  const keyOf = (each: BrowsedOperation) => [instantOf(each) ?? 0, each.project_ref, each.operation_id];
  const { rows, next_cursor } = firstRows(found, limit, keyOf);
  return { operations: rows.map(writeOperation), next_cursor };
}
