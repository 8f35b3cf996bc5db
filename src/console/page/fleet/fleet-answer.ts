import * as v from 'valibot';
import { decimalField, instantField, writeMaybeInstant } from '../../answer-field.ts';
import { restsOnField } from '../../progress.ts';

/** The state of a project's endpoints together; `none` where it has none, `importing` before they are read the first time. */
export const projectStates = ['active', 'idle', 'changing', 'other', 'none', 'gone', 'importing'] as const;
export type ProjectState = (typeof projectStates)[number];

/** A project with its figures of the billing period; what is not known is null. */
const projectField = v.object({
  account: v.string(),
  project_id: v.string(),
  project_name: v.nullable(v.string()),
  region_id: v.nullable(v.string()),
  /** The group of each grouping. */
  groups: v.record(v.string(), v.string()),
  state: v.picklist(projectStates),
  endpoints: v.number(),
  endpoints_active: v.number(),
  compute_hours: v.nullable(decimalField),
  cost: v.nullable(decimalField),
  /** Why there is no cost, such as `unpriced`. */
  cost_missing: v.nullable(v.string()),
  /** The cost of the whole billing period as it is expected; null while too little is known, and without a price. */
  cost_forecast: v.nullable(decimalField),
  /** Finished starts. */
  starts: v.nullable(v.number()),
  /** Operations that failed. */
  failures: v.nullable(v.number()),
  findings: v.nullable(v.number()),
  /** Likely saved by the findings, and at most. */
  findings_compute_hours_per_month: v.nullable(decimalField),
  findings_cost_per_month: v.nullable(decimalField),
  findings_most_compute_hours_per_month: v.nullable(decimalField),
  findings_most_cost_per_month: v.nullable(decimalField),
  last_active: v.nullable(instantField),
  created_at: v.nullable(instantField),
  gone_at: v.nullable(instantField),
});
export type ProjectAnswer = v.InferOutput<typeof projectField>;
export const projectFields = Object.keys(projectField.entries) as readonly (keyof ProjectAnswer)[];

type ProjectInstants = Pick<ProjectAnswer, 'last_active' | 'created_at' | 'gone_at'>;
/** The same before it is written: instants are epoch milliseconds. */
export type FleetRow = Readonly<Omit<ProjectAnswer, keyof ProjectInstants>> & {
  readonly [Instant in keyof ProjectInstants]: number | null;
};

const chargeField = v.object({
  account: v.string(),
  charge: v.string(),
  billing_period: v.string(),
  cost: v.nullable(decimalField),
});

export const fleetAnswer = v.object({
  /** What the figures rest on. */
  rests_on: restsOnField,
  /** The instant that all figures are of; null until they are known. */
  as_of: v.nullable(instantField),
  /** The billing period so far, which all figures are of; null until they are known. */
  period: v.nullable(v.object({ from: instantField, until: instantField })),
  currency: v.nullable(v.string()),
  /** Reports that are still being made: their figures are null. */
  pending: v.array(v.string()),
  /** Reports that cannot be made, as the log says: their figures are null or old. */
  failing: v.array(v.string()),
  /** Whether something is missing in the figures; the notes say what. */
  partial: v.boolean(),
  notes: v.array(v.string()),
  /** Charges of accounts, which are for no project. */
  charges: v.array(chargeField),
  choices: v.object({
    accounts: v.array(v.string()),
    regions: v.array(v.string()),
    groups: v.array(v.object({ grouping: v.string(), groups: v.array(v.string()) })),
  }),
  /** The sums over all projects that were asked for, also those on other pages. */
  total: v.object({
    projects: v.number(),
    compute_hours: v.nullable(decimalField),
    cost: v.nullable(decimalField),
    /** The sum of the projects' forecasts. */
    cost_forecast: v.nullable(decimalField),
  }),
  projects: v.array(projectField),
  next_cursor: v.nullable(v.string()),
});
export type FleetAnswer = v.InferOutput<typeof fleetAnswer>;

export function writeProject({ last_active, created_at, gone_at, ...row }: FleetRow): ProjectAnswer {
  return {
    ...row,
    last_active: writeMaybeInstant(last_active),
    created_at: writeMaybeInstant(created_at),
    gone_at: writeMaybeInstant(gone_at),
  };
}
