import * as v from 'valibot';
import {
  boundsField,
  decimalField,
  instantField,
  savingFields,
  spanField,
  stepField,
} from '../../answer-field.ts';
import { conditionKinds } from '../../condition/condition.ts';
import { restsOnField } from '../../progress.ts';
import { findingField } from '../finding/finding-answer.ts';

const exampleField = v.object({
  text: v.string(),
  href: v.nullable(v.string()),
  /** More on it, such as what failed, or how many of its operations; may be empty. */
  detail: v.string(),
  at: v.nullable(instantField),
});

/** Kinds of what can be wrong: those of conditions, and of what accounts do. */
const troubleKinds = [
  ...conditionKinds,
  'operations_failed',
  'operations_stuck',
  'budget_over',
  'budget_at_risk',
  'keys_stale',
] as const;

const troubleField = v.object({
  kind: v.picklist(troubleKinds),
  count: v.number(),
  /** Critical: look at once. Warning: look soon. Info: nothing need be done. */
  severity: v.picklist(['critical', 'warning', 'info']),
  summary: v.string(),
  /** What to do, one step after another; empty where the page says it. */
  remedy: v.array(v.string()),
  /** The page that shows it. */
  href: v.string(),
  /** A few words for a title, such as `Two operations are stuck`; empty where the summary is as short. */
  headline: v.string(),
  /** Words for the title of the page; null where they are the headline. */
  title: v.nullable(v.string()),
  /** Since when the oldest of them is, when the newest was, or when it comes to it; null where that is not known. */
  when: v.nullable(v.object({ word: v.picklist(['since', 'last', 'on']), at: instantField })),
  /** What to do about it, and where. */
  action: v.object({ label: v.string(), href: v.string() }),
  /** A few of them. */
  examples: v.array(exampleField),
  /** The first projects, budgets, keys or conditions that it touches, by names that stand in one line, and how many more. */
  names: v.array(exampleField),
  more_names: v.number(),
});
export type Trouble = v.InferOutput<typeof troubleField>;

const runningField = v.object({
  projects: v.number(),
  endpoints: v.number(),
  /** Endpoints by state, as they were last read. */
  states: v.array(v.object({ account: v.string(), state: v.string(), endpoints: v.number() })),
  /** Projects that have an active one. */
  active_projects: v.number(),
  /** Some of the active ones, those active for longest first: the first of each project. */
  active: v.array(
    v.object({
      account: v.string(),
      project_id: v.string(),
      project_name: v.nullable(v.string()),
      endpoint_id: v.string(),
      since: v.nullable(instantField),
      max_cu: v.nullable(v.number()),
      /** How many others of the project are active. */
      others: v.number(),
    }),
  ),
});
export type Running = v.InferOutput<typeof runningField>;

const forecastField = v.object({
  expected: decimalField,
  ...boundsField.entries,
  /** How wrong such forecasts of past periods were, as a part; null while there is none to look back on. */
  mean_error: v.nullable(v.number()),
});
export type Forecast = v.InferOutput<typeof forecastField>;

/** A budget of all that an account costs. */
const spentBudgetField = v.object({
  name: v.string(),
  limit: decimalField,
  projected: v.nullable(decimalField),
  exhausted_at: v.nullable(instantField),
});

/** A cause of the difference to the period before. */
const moveField = v.object({
  kind: v.string(),
  cause: v.string(),
  account: v.nullable(v.string()),
  project_id: v.nullable(v.string()),
  project_name: v.nullable(v.string()),
  /** Money, or compute hours without prices. */
  difference: decimalField,
  /** Why, in a few words; empty where the cause says it. */
  detail: v.string(),
});

const spendingField = v.object({
  /** The whole billing period. */
  period: spanField,
  /** Null without prices. */
  currency: v.nullable(v.string()),
  /** Cost of all accounts, so far. */
  cost: v.nullable(decimalField),
  compute_hours: v.nullable(decimalField),
  /** The expected cost of the period, of all accounts; null unless it is known of each. */
  expected: v.nullable(decimalField),
  /** The compute hours that are expected of the period, likewise. */
  expected_hours: v.nullable(decimalField),
  accounts: v.array(
    v.object({
      account: v.string(),
      cost: v.nullable(decimalField),
      /** Why there is no cost, such as `unpriced`. */
      cost_missing: v.nullable(v.string()),
      compute_hours: v.nullable(decimalField),
      forecast: v.nullable(forecastField),
    }),
  ),
  /** The same part of the period before; null where it is not known. */
  before: v.nullable(
    v.object({
      ...spanField.entries,
      /** Null without prices: in their place are the compute hours. */
      cost: v.nullable(decimalField),
      /** Cost of the same time of this period. */
      cost_now: v.nullable(decimalField),
      /** Null with prices. */
      used_hours: v.nullable(decimalField),
      used_hours_now: v.nullable(decimalField),
      /** Money, or compute hours without prices. */
      difference: decimalField,
      summary: v.array(v.string()),
      /** Sentences on the parts of the two that are not known; empty where all is. */
      gaps: v.array(v.string()),
    }),
  ),
  partial: v.boolean(),
  /** The days of the period so far. */
  by_day: v.array(
    v.object({
      ...stepField.entries,
      cost: v.nullable(decimalField),
      compute_hours: v.nullable(decimalField),
    }),
  ),
  /** The days that are left of it, the first of them the rest of today. */
  days_to_come: v.array(stepField),
  /** The budget of the account for the period, the tightest of several; null of several accounts. */
  budget: v.nullable(spentBudgetField),
  /** What made the largest differences to the period before; null where that is not known. */
  moves: v.nullable(
    v.object({
      largest: v.array(moveField),
      /** How many others there are, and what they come to. */
      others: v.number(),
      others_difference: decimalField,
    }),
  ),
});
export type Spending = v.InferOutput<typeof spendingField>;

const savingField = v.object({
  findings: v.number(),
  /** The saving of all findings together. */
  ...savingFields,
  currency: v.nullable(v.string()),
  /** The findings that save most. */
  costliest: v.array(v.object({ ...findingField.entries, up_to: v.boolean(), advice: v.string() })),
});
export type Saving = v.InferOutput<typeof savingField>;

export const overviewAnswer = v.object({
  /** Troubles of now, the most urgent first. */
  troubles: v.array(troubleField),
  running: runningField,
  /** What the figures rest on; null while that is looked at. */
  rests_on: v.nullable(restsOnField),
  /** The instant that all figures are of; null where there are none. */
  as_of: v.nullable(instantField),
  /** Null while it is being worked out, and where what it rests on is not whole. */
  spending: v.nullable(spendingField),
  /** Null while they are being looked for, likewise. */
  saving: v.nullable(savingField),
  /** Reports that are still being made. */
  pending: v.array(v.string()),
});
export type OverviewAnswer = v.InferOutput<typeof overviewAnswer>;
