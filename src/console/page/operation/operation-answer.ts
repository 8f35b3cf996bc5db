import * as v from 'valibot';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { tabulate } from '../../../report/format/report.ts';
import { operationOutcomes, singleOperationColumns } from '../../../report/operation-list.ts';
import { columnFields, instantField } from '../../answer-field.ts';
import { firstRows } from '../../keyset.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { readRows } from '../../report-row.ts';

/** An operation in an answer: the columns of the report of single ones. */
export const operationField = v.object({
  ...columnFields(singleOperationColumns),
  account: v.string(),
  project_id: v.string(),
  operation_id: v.string(),
  action: v.string(),
  status: v.string(),
  outcome: v.picklist(operationOutcomes),
  failures_count: v.number(),
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

export function writeOperation(operation: KnownOperation): OperationAnswer {
  const [row] = readRows<typeof singleOperationColumns>(tabulate(singleOperationColumns, [operation]));
  return v.parse(operationField, row);
}

/** A part of a list, and the cursor of the next one. */
export function partOf(found: readonly KnownOperation[], limit: number, instant: 'created_at' | 'ended_at') {
  const keyOf = (each: KnownOperation) => [each[instant] ?? 0, each.project_ref, each.operation_id];
  const { rows, next_cursor } = firstRows(found, limit, keyOf);
  return { operations: rows.map(writeOperation), next_cursor };
}
