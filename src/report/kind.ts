export const reportKinds = ['usage', 'cost', 'keys', 'operations', 'findings'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const reportAxes = ['project', 'group', 'account', 'region', 'endpoint'] as const;
export type ReportAxis = (typeof reportAxes)[number];

export const reportFormats = ['table', 'csv', 'json', 'markdown', 'focus'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** What was given on the command line. */
export interface ReportFlags {
  readonly period?: string;
  readonly by?: ReportAxis;
  readonly format: ReportFormat;
  readonly grouping?: string;
  readonly account?: string;
  readonly whatIf?: string;
}
