import { type Command, Option } from 'commander';

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

export function addReportOptions(command: Command): Command {
  return command
    .option(
      '--period <period>',
      'such as 2026-10, this-month, last-month, last-30d or 2026-10-01..2026-11-01 (default: this-month for usage and cost, last-30d for the others)',
    )
    .addOption(
      new Option('--by <what>', 'what a row is for (default: project; findings have one each)').choices(
        reportAxes,
      ),
    )
    .addOption(
      new Option('--format <format>', 'how it is written; focus is the FinOps cost CSV, for cost alone')
        .choices(reportFormats)
        .default('table'),
    )
    .option('--grouping <name>', 'the grouping of --by group (default: the first of the configuration)')
    .option(
      '--account <name>',
      'this account alone (default: those of the configuration, or all of the history)',
    )
    .option('--what-if <path>', 'for cost: compare with a price book in another file, for the same usage');
}
