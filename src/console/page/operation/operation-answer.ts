import * as v from 'valibot';
import type { BrowsedOperation } from '../../../history/browse/browsed-operation.ts';
import { hasFailed, stuckAfterMs } from '../../../resources/operation.ts';
import { instantField, writeMaybeInstant } from '../../answer-field.ts';

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
});
export type OperationAnswer = v.InferOutput<typeof operationField>;

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
  };
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
