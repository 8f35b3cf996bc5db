/** Everything that is reported, as it is asked for. */
export const reportKinds = ['usage', 'cost', 'keys', 'operations', 'findings', 'why'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** The things a row can be for. */
export const reportAxes = ['project', 'group', 'account', 'region', 'endpoint'] as const;
export type ReportAxis = (typeof reportAxes)[number];

/** The ways a report is written. */
export const reportFormats = ['table', 'csv', 'json', 'markdown', 'focus'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The options a report is asked for with, as they were given. */
export interface ReportOptions {
  /** Such as `2026-10` or `last-month`. */
  readonly period?: string;
  /** For why: the period it is compared with. */
  readonly against?: string;
  readonly by?: ReportAxis;
  readonly format: ReportFormat;
  readonly grouping?: string;
  readonly account?: string;
  /** Path of a file with another price book. */
  readonly whatIf?: string;
  /** Findings that are done, in place of those that are open. */
  readonly done?: boolean;
}
