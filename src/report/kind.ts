import type { StepUnit } from '../cost/calendar/step.ts';

/** Everything that is reported, as it is asked for, with the question that it answers. */
export const reportQuestions = {
  usage: 'How much was used?',
  cost: 'What did it cost?',
  months: 'What did each month cost, and how did that change?',
  budgets: 'How do budgets stand against what is spent?',
  forecast: 'What will the billing period come to?',
  keys: 'Which API keys are there, and when were they used?',
  operations: 'Which operations ended, and how?',
  findings: 'What could be saved?',
  why: 'Why did the cost or the use change?',
  showback: 'What does each group pay for?',
} as const;
export type ReportKind = keyof typeof reportQuestions;
export const reportKinds = Object.keys(reportQuestions) as readonly ReportKind[];

/** The things a row can be for. */
export const reportAxes = ['project', 'group', 'account', 'region', 'owner', 'endpoint', 'line'] as const;
export type ReportAxis = (typeof reportAxes)[number];

/** The ways a report is written. */
export const reportFormats = ['table', 'csv', 'json', 'markdown', 'focus', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The lengths of time that a row can be for. */
export const reportSteps = ['day', 'week', 'month'] as const satisfies readonly StepUnit[];

/** The version of the specification that `focus` is written by. */
export const focusVersion = '1.2';

/** The options a report is asked for with, as they were given. */
export interface ReportOptions {
  /** Such as `2026-10` or `last-month`. */
  readonly period?: string;
  /** For why: the period it is compared with. */
  readonly against?: string;
  readonly by?: ReportAxis;
  /** A table where it is absent, and Markdown for a show-back. */
  readonly format?: ReportFormat;
  readonly grouping?: string;
  /** The only group of a show-back or of why, such as `team/platform`. */
  readonly group?: string;
  readonly account?: string;
  /** The only project, such as `main/p-1`. */
  readonly project?: string;
  /** Path of a file with another price book. */
  readonly whatIf?: string;
  /** The text of a section `pricing` in place of the configured one. */
  readonly prices?: string;
  /** For findings of one project: what another auto-suspend delay, in seconds, would have saved. */
  readonly suspendAfter?: number;
  /** For findings of one project: what another smallest size, in compute units, would have saved. */
  readonly minCu?: number;
  /** Findings that are done, in place of open ones. */
  readonly done?: boolean;
  /** Whether charges of accounts are shared out to projects. */
  readonly share?: boolean;
  /** One row for each of them in the period, for use and costs. */
  readonly step?: StepUnit;
  /** For costs: how many of the dearest have rows; all others share one. */
  readonly top?: number;
  readonly focusVersion?: typeof focusVersion;
}
