import * as v from 'valibot';
import { instantField } from '../../answer-field.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { operationField } from './operation-answer.ts';

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
  /** Null where they are not asked for. */
  failed: v.nullable(v.object({ ...sectionField.entries, alike: v.array(alikeField) })),
  in_progress: v.nullable(v.object({ ...sectionField.entries, stuck: v.number() })),
  /** All of one project, successes too. */
  all: v.nullable(v.object({ operations: v.array(operationField), next_cursor: v.nullable(v.string()) })),
});
export type OperationsAnswer = v.InferOutput<typeof operationsAnswer>;
