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
export const reportAxes = [
  'project',
  'group',
  'account',
  'region',
  'owner',
  'endpoint',
  'line',
  'operation',
] as const;
export type ReportAxis = (typeof reportAxes)[number];

/** The ways a report is written. */
export const reportFormats = ['table', 'csv', 'json', 'markdown', 'focus', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The ways in which lists of bills and comparisons with invoices are written. */
export const billFormats = ['table', 'csv', 'json', 'markdown'] as const satisfies readonly ReportFormat[];
export type BillFormat = (typeof billFormats)[number];

/** The lengths of time that a row can be for. */
export const reportSteps = ['day', 'week', 'month'] as const satisfies readonly StepUnit[];

/** The version of the specification that `focus` is written by. */
export const focusVersion = '1.2';
