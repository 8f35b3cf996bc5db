import { type Command, Option } from 'commander';
import { focusVersions, reportAxes, reportFormats, reportSteps } from '../report/kind.ts';

/** Adds the flags of `report`, whose values are `ReportOptions`. */
export function addReportOptions(command: Command): Command {
  return command
    .option(
      '--period <period>',
      'such as 2026-10, this-month, last-month, last-30d, 2026-10-01..2026-11-01, or a billing period: billing, last-billing, billing:2026-10 (default: this-month for usage, cost and showback, last-billing for why, last-30d for the others)',
    )
    .option('--against <period>', 'for why: the period to compare with (default: the one before)')
    .addOption(
      new Option('--by <what>', 'what a row is for (default: project; findings have one each)').choices(
        reportAxes,
      ),
    )
    .addOption(
      new Option(
        '--format <format>',
        'how it is written (default: table; markdown for showback); focus is the FinOps cost CSV, for cost alone; html for showback alone',
      ).choices(reportFormats),
    )
    .option('--grouping <name>', 'the grouping of --by group (default: the first of the configuration)')
    .option('--group <group>', 'for showback: one group, such as team/platform (default: a page for each)')
    .option(
      '--account <name>',
      'this account alone (default: those of the configuration, or all of the history)',
    )
    .option('--done', 'for findings: those whose cause is gone, with what that saves')
    .addOption(
      new Option('--step <unit>', 'for usage and cost: a row for each day, week or month').choices(
        reportSteps,
      ),
    )
    .option(
      '--share',
      'for cost: share minimums and other charges of an account out to its projects, and so to groups and regions',
    )
    .addOption(
      new Option('--focus-version <version>', 'of --format focus (default: 1.0)').choices(focusVersions),
    )
    .option('--what-if <path>', 'for cost: compare with a price book in another file, for the same usage');
}
