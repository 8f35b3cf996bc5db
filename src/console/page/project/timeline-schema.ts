import * as v from 'valibot';
import { instantField, spanField } from '../../answer-field.ts';
import { markKinds } from './mark-fold.ts';

/** Operations of one kind that are one mark on the axis: a single one, or several that cannot be told apart there. */
const markField = v.object({
  kind: v.picklist(markKinds),
  /** When the first and the last of them ended, or was created if it goes on. */
  from: instantField,
  until: instantField,
  count: v.number(),
  /** Their actions; a few of them. */
  actions: v.array(v.string()),
});
export type MarkAnswer = v.InferOutput<typeof markField>;
/** How many operations of each kind there were in equal slices of the range, in order. */
const countsField = v.object({
  start: v.array(v.number()),
  suspend: v.array(v.number()),
  other: v.array(v.number()),
  failed: v.array(v.number()),
});

const laneField = v.object({
  endpoint_id: v.string(),
  /** The part of the range in which there was such an endpoint. */
  life: spanField,
  awake_ms: v.number(),
  asleep_ms: v.number(),
  /** Time of that in which its state is not known. */
  unknown_ms: v.number(),
  starts: v.number(),
  suspends: v.number(),
  /** Null where there are too many to be told one by one: `columns` has their sums. */
  intervals: v.nullable(v.array(v.object({ ...spanField.entries, state: v.string() }))),
  /** Equal stretches of the range, in order: which part of each, 0 to 100, it was awake, and was in no known state. */
  columns: v.nullable(v.object({ awake_percent: v.array(v.number()), unknown_percent: v.array(v.number()) })),
  /** Operations of the endpoint, in order of time by kind. */
  marks: v.array(markField),
  counts: countsField,
});
export type LaneAnswer = v.InferOutput<typeof laneField>;

export const timelineField = v.object({
  ...spanField.entries,
  /** From when on states are kept; null where all are. */
  kept_from: v.nullable(instantField),
  /** Where states are not kept, but what operations tell of them is; null where that is nowhere. */
  reconstructed: v.nullable(spanField),
  /** From when on operations are kept; null where all are. */
  operations_kept_from: v.nullable(instantField),
  endpoints: v.array(laneField),
  /** Endpoints with less time awake that are not told of. */
  endpoints_left_out: v.number(),
  /** Operations of no endpoint, and of endpoints that are not told of. */
  other_marks: v.array(markField),
  other_counts: countsField,
  /** Operations by endpoint and action, the most frequent first. */
  operations: v.array(
    v.object({
      endpoint_id: v.nullable(v.string()),
      action: v.string(),
      count: v.number(),
      failed: v.number(),
      first: instantField,
      last: instantField,
    }),
  ),
  /** Rows of them that are not told of. */
  operations_left_out: v.number(),
  /** From when on operations that did not fail are told of; null unless there are too many of them. */
  operations_cut_at: v.nullable(instantField),
  /** Operations that failed; no more than 1,000 are counted. */
  failed_count: v.number(),
  is_failed_count_cut: v.boolean(),
  /** The newest of them. */
  failed_operations: v.array(
    v.object({
      at: instantField,
      endpoint_id: v.nullable(v.string()),
      action: v.string(),
      status: v.string(),
    }),
  ),
  is_failed_cut: v.boolean(),
});
export type TimelineAnswer = v.InferOutput<typeof timelineField>;
