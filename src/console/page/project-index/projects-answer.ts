import * as v from 'valibot';
import { decimalField, instantField, spanField } from '../../answer-field.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { restsOnField } from '../../progress.ts';

/** The state of a project's endpoints together; `none` where it has none, `importing` before they are read the first time. */
export const projectStates = ['active', 'idle', 'changing', 'other', 'none', 'gone', 'importing'] as const;

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
export type ProjectAnswer = Readonly<v.InferOutput<typeof projectField>>;
export const projectFields = Object.keys(projectField.entries) as readonly (keyof ProjectAnswer)[];

/** Lower than any money: hours and money are not compared. */
const withoutPrice = -1e9;
const withoutFinding = 2 * withoutPrice;

/** The columns that projects are sorted by: the value of each in SQL, null where it is not known. */
export const sortValues = {
  cost: 'CAST(cost AS REAL)',
  forecast: 'CAST(cost_forecast AS REAL)',
  name: 'by_name',
  account: 'account',
  region: 'by_region',
  groups: 'by_groups',
  state: 'state',
  // By how many are active, then by how many there are; the column shows no numbers of others.
  endpoints: "iif(state IN ('gone', 'importing'), NULL, endpoints_active + endpoints / 1e6)",
  hours: 'CAST(compute_hours AS REAL)',
  starts: 'starts',
  failures: 'failures',
  // By the money they save, likely or else at most; below it findings without a price, by hours.
  findings: `CASE WHEN findings > 0 THEN coalesce(
      CAST(coalesce(findings_cost_per_month, findings_most_cost_per_month) AS REAL),
      ${withoutPrice} + coalesce(
        CAST(coalesce(findings_compute_hours_per_month, findings_most_compute_hours_per_month) AS REAL), 0))
    WHEN findings = 0 THEN ${withoutFinding} END`,
  last_active: 'last_active',
} as const;
export type ProjectSort = keyof typeof sortValues;
export const projectSorts = Object.keys(sortValues) as readonly ProjectSort[];

/** Without prices the projects that used most come first. */
export function sortOf(sort: ProjectSort, hasPrices: boolean): ProjectSort {
  return !hasPrices && (sort === 'cost' || sort === 'forecast') ? 'hours' : sort;
}

/** The values of filters with the words that a form has for them; the first is the usual one. */
export const projectFilters = {
  state: {
    all: 'all',
    active: 'any endpoint awake',
    idle: 'all endpoints asleep',
    changing: 'changing',
    other: 'another state',
    none: 'no endpoint',
    importing: 'still to be imported',
  },
  finding: { all: 'with or without', with: 'with findings', without: 'without findings' },
  gone: { without: 'left out', all: 'shown too', only: 'alone' },
} as const;

function choiceOf<Value extends string>(words: Readonly<Record<Value, string>>) {
  return choice(Object.keys(words) as Value[]);
}

/** The query of the page of projects: all of its state. */
export const projectsQuery = v.object({
  q: text(),
  account: text(),
  /** As `team/platform`, or a part of the names of groups where none is called so. */
  group: text(1000),
  region: text(),
  state: choiceOf(projectFilters.state),
  finding: choiceOf(projectFilters.finding),
  gone: choiceOf(projectFilters.gone),
  sort: choice(projectSorts),
  order: choice(['desc', 'asc']),
  limit: limit(),
  cursor: cursor(),
});
export type ProjectsQuery = v.InferOutput<typeof projectsQuery>;

const chargeField = v.object({
  account: v.string(),
  charge: v.string(),
  billing_period: v.string(),
  cost: v.nullable(decimalField),
});

export const projectsAnswer = v.object({
  /** What the figures rest on. */
  rests_on: restsOnField,
  /** The instant that all figures are of; null until they are known. */
  as_of: v.nullable(instantField),
  /** The billing period so far, which all figures are of; null until they are known. */
  period: v.nullable(spanField),
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
  projects: v.array(
    v.object({
      ...projectField.entries,
      /**
       * An operation of it is stuck, or failed in the last day and has not worked since; null of all others. It is failing where
       * clients may be kept out: by a start, or an endpoint in use that no client used since.
       */
      trouble: v.nullable(v.picklist(['stuck', 'failing', 'check_failed', 'operation_failed'])),
    }),
  ),
  next_cursor: v.nullable(v.string()),
});
export type ProjectsAnswer = v.InferOutput<typeof projectsAnswer>;
export type ListedProject = ProjectsAnswer['projects'][number];
