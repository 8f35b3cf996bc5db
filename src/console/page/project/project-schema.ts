import * as v from 'valibot';
import { instantField, savingFields } from '../../answer-field.ts';
import { outerLinksField } from '../../outer-link.ts';
import { choice, cursor, name } from '../../parameter.ts';
import { restsOnField } from '../../progress.ts';
import { findingField } from '../finding/finding-answer.ts';
import { operationField } from '../operation/operation-answer.ts';
import { daysField } from './daily-use.ts';
import { projectForecastField } from './forecast.ts';
import { timelineField } from './timeline-schema.ts';
import { whatIfField } from './what-if.ts';

const instantParameter = v.optional(
  v.pipe(
    v.string(),
    v.check(
      value => value === '' || !Number.isNaN(Date.parse(value)),
      'an instant, such as 2026-10-05T06:00:00Z',
    ),
  ),
  '',
);
const countParameter = v.optional(v.pipe(v.string(), v.regex(/^(\d{1,7}(\.\d{1,3})?)?$/, 'a number')), '');

/** The state of the page of a project. */
export const projectQuery = v.object({
  account: name(),
  project_id: name(),
  range: choice(['7d', '1h', '6h', '24h', '30d', '90d', '1y']),
  from: instantParameter,
  until: instantParameter,
  /** Suspend delay to be replayed, in seconds after the last use. */
  suspend_after: countParameter,
  /** Smallest size to be replayed, in compute units. */
  min_cu: countParameter,
  cursor: cursor(),
});
export type ProjectQuery = v.InferOutput<typeof projectQuery>;

const endpointField = v.object({
  endpoint_id: v.string(),
  branch_id: v.nullable(v.string()),
  type: v.nullable(v.string()),
  state: v.nullable(v.string()),
  pending_state: v.nullable(v.string()),
  min_cu: v.nullable(v.number()),
  max_cu: v.nullable(v.number()),
  last_active: v.nullable(instantField),
  gone_at: v.nullable(instantField),
});
export type EndpointAnswer = v.InferOutput<typeof endpointField>;

/** A time in which an endpoint was awake. */
const sessionField = v.object({
  from: instantField,
  /** Null while it goes on. */
  until: v.nullable(instantField),
  last_used_at: v.nullable(instantField),
  /** When the check_availability was begun that it followed. */
  checked_at: v.nullable(instantField),
});
export type SessionAnswer = v.InferOutput<typeof sessionField>;

const ownFindingField = v.object({
  ...findingField.entries,
  /** Empty where it is about the project as a whole. */
  endpoint_id: v.string(),
  up_to: v.boolean(),
  evidence: v.string(),
  advice: v.string(),
  /** The newest times in which the endpoint was awake, which it rests on. */
  sessions: v.array(sessionField),
});
const findingsField = v.object({
  /** The instant that they are of, which may be another than that of the project's figures: they are of all projects. */
  as_of: v.nullable(instantField),
  currency: v.nullable(v.string()),
  pending: v.boolean(),
  /** Of all of them together. */
  ...savingFields,
  findings: v.array(ownFindingField),
});
export type FindingsAnswer = v.InferOutput<typeof findingsField>;

/** A project: what it is, did, used and costs, and what can be saved. */
export const projectAnswer = v.object({
  account: v.string(),
  project_id: v.string(),
  project_name: v.nullable(v.string()),
  platform_id: v.nullable(v.string()),
  region_id: v.nullable(v.string()),
  pg_version: v.nullable(v.string()),
  created_at: v.nullable(instantField),
  last_read_at: v.nullable(instantField),
  gone_at: v.nullable(instantField),
  recoverable_until: v.nullable(instantField),
  /** Personal data: null unless the reader may see it. */
  owner_id: v.nullable(v.string()),
  org_id: v.nullable(v.string()),
  org_name: v.nullable(v.string()),
  links: outerLinksField,
  /** Its groups, such as `team/web`. */
  groups: v.array(v.string()),
  endpoints: v.array(endpointField),
  endpoints_left_out: v.number(),
  /** What the figures rest on; null while that is looked at. */
  rests_on: v.nullable(restsOnField),
  /** The instant that use, cost and forecast are of; null where there are none. */
  as_of: v.nullable(instantField),
  timeline: timelineField,
  use: daysField,
  /** The forecast of the billing period now; null for a project that is gone. */
  forecast: v.nullable(projectForecastField),
  /** The oldest operations in progress; a stuck one is among the first. */
  open_operations: v.array(operationField),
  /** A few operations that failed in the last 30 days, the newest first. */
  failed_operations: v.array(operationField),
  operations: v.object({ operations: v.array(operationField), next_cursor: v.nullable(v.string()) }),
  findings: findingsField,
  what_if: v.nullable(whatIfField),
});
export type ProjectAnswer = v.InferOutput<typeof projectAnswer>;
