import * as v from 'valibot';
import { instantField, spanField } from '../../answer-field.ts';
import { outerLinksField } from '../../outer-link.ts';
import { name } from '../../parameter.ts';
import { timelineField } from '../project/timeline-schema.ts';
import { operationField } from './operation-answer.ts';

export const incidentQuery = v.object({
  account: name(),
  project_id: name(),
  /** Or `last-failed` or `oldest-open`, as an alert knows no id. */
  operation_id: name(),
  /** For `last-failed`: of this action alone. */
  action: v.optional(v.pipe(v.string(), v.maxLength(200, 'at most 200 characters')), ''),
});
export type IncidentQuery = v.InferOutput<typeof incidentQuery>;

const endpointField = v.object({
  endpoint_id: v.string(),
  branch_id: v.nullable(v.string()),
  /** As it was last read. */
  state: v.nullable(v.string()),
  min_cu: v.nullable(v.number()),
  max_cu: v.nullable(v.number()),
  gone_at: v.nullable(instantField),
  /** Its state when the operation began; null where that is not known. */
  state_then: v.nullable(v.string()),
});
export type IncidentEndpoint = v.InferOutput<typeof endpointField>;

/** An operation with what it means, whom it hits, what to do, and what happened around it. */
export const incidentAnswer = v.object({
  operation: operationField,
  /** The sentence that says what happened. */
  title: v.string(),
  meaning: v.array(v.string()),
  impact: v.array(v.string()),
  next_steps: v.array(v.object({ do: v.string(), why: v.nullable(v.string()) })),
  /** The section of the runbook; null where there is nothing to do. */
  runbook: v.nullable(v.string()),
  /** Groups of the project, as `team/data`. */
  groups: v.array(v.string()),
  /** Null of an operation of no endpoint. */
  endpoint: v.nullable(endpointField),
  branch_name: v.nullable(v.string()),
  other_endpoints: v.array(endpointField),
  other_endpoints_left_out: v.number(),
  /** When the endpoint was first awake since the operation began; null where that was not seen. */
  awake_at: v.nullable(instantField),
  /** Until then from when the first start of the series failed; null where it was awake or that is not known. */
  without_compute_ms: v.nullable(v.number()),
  /** Starts of the endpoint that failed one after another, with no compute between them; null of other operations. */
  failed_starts: v.nullable(
    v.object({
      count: v.number(),
      /** Whether there may be more before them. */
      is_count_cut: v.boolean(),
      /** When the first and the last of them began. */
      first: instantField,
      last: instantField,
    }),
  ),
  /** When the project was last read. */
  read_at: v.nullable(instantField),
  /** Other operations of the project that go on. */
  others_in_progress: v.number(),
  /** Operations that began later and ended well; null unless this one goes on. */
  done_since: v.nullable(
    v.object({
      /** All of the project. */
      operations: v.number(),
      /** Starts of its endpoint, and when the last of them ended. */
      starts: v.number(),
      last_start: v.nullable(instantField),
      /** Operations of the same action and endpoint among them, and when the last one ended. */
      alike: v.number(),
      last_alike: v.nullable(instantField),
      /** Changes of settings among them: of its endpoint, or of the project where it has none. */
      settings: v.number(),
    }),
  ),
  /** How often operations of this action ended on this endpoint. */
  often: v.object({
    from: instantField,
    until: instantField,
    ended: v.number(),
    failed: v.number(),
    /** How long half of the ones that ended well took at most; null where none did. */
    usual_ms: v.nullable(v.number()),
    days: v.array(v.object({ from: instantField, ended: v.number(), failed: v.number() })),
  }),
  /** Other operations of the project that failed in that time, the newest first. */
  failed_before: v.array(operationField),
  /** Operations of the project that began later and failed, the newest first. */
  failed_since: v.array(operationField),
  /** Operations of this action that failed on other projects around that time, the newest first. */
  elsewhere: v.object({
    from: instantField,
    until: instantField,
    count: v.number(),
    is_count_cut: v.boolean(),
    regions: v.array(v.string()),
    operations: v.array(operationField),
  }),
  /** Operations of other projects that are stuck, the oldest first; null unless this one goes on. */
  stuck_elsewhere: v.nullable(v.object({ count: v.number(), operations: v.array(operationField) })),
  /** The newest operation of the endpoint before this one that changed it; null where there was none in that time. */
  change_before: v.nullable(operationField),
  timeline: timelineField,
  /** The time of the operation itself, with the states of its endpoint. */
  moment: v.nullable(
    v.object({
      from: instantField,
      until: instantField,
      intervals: v.array(v.object({ ...spanField.entries, state: v.string() })),
    }),
  ),
  links: outerLinksField,
  /** The request that shows the operation at the service. */
  request: v.string(),
});
export type IncidentAnswer = v.InferOutput<typeof incidentAnswer>;

/** The sentences on an operation. */
export type IncidentSentences = Pick<
  IncidentAnswer,
  'title' | 'meaning' | 'impact' | 'next_steps' | 'runbook'
>;

/** The facts of an operation and of the time around it, as the history has them. */
export type IncidentFacts = Omit<IncidentAnswer, keyof IncidentSentences | 'groups' | 'links' | 'request'>;
