import { type Command, InvalidArgumentError, Option } from 'commander';
import { focusVersion, reportAxes, reportFormats, reportSteps } from '../report/kind.ts';
import { numberOption } from './number-option.ts';

/** Adds the flags of `report`, whose values are `ReportOptions`. */
export function addReportOptions(command: Command): Command {
  return command
    .option(
      '--period <period>',
      'such as 2026-10, this-month, last-month, last-30d, 2026-10-01..2026-11-01, or a billing period: billing, last-billing, billing:2026-10 (default: this-month for usage, cost and showback, last-billing for why, last-30d for the others; a forecast is of billing)',
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
    .option(
      '--project <account/project_id>',
      'for usage, cost, forecast and operations: this project alone, without the charges of its account',
    )
    .addOption(
      numberOption(
        '--suspend-after <seconds>',
        'for findings of one project: what suspending its endpoints so long after their last use would have saved, in place of findings',
        { least: 0, most: 604_800 },
      ),
    )
    .addOption(
      new Option(
        '--min-cu <size>',
        'for findings of one project: what this smallest size in compute units would have saved, in place of findings',
      ).argParser(readSize),
    )
    .option('--done', 'for findings: those whose cause is gone, with what that saves')
    .addOption(
      new Option('--step <unit>', 'for usage and cost: a row for each day, week or month').choices(
        reportSteps,
      ),
    )
    .addOption(
      numberOption('--top <count>', 'for cost: rows for so many of the dearest, and one for all others', {
        least: 1,
        most: 10_000,
      }),
    )
    .option(
      '--share',
      'for cost: share minimums and other charges of an account out to its projects, and so to groups and regions',
    )
    .addOption(
      new Option('--focus-version <version>', `of --format focus, which is ${focusVersion} alone`).argParser(
        readFocusVersion,
      ),
    )
    .option('--what-if <path>', 'for cost: compare with a price book in another file, for the same usage');
}

const mostCu = 1000;

function readSize(text: string): number {
  const size = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (size <= mostCu) return size;
  throw new InvalidArgumentError(`write a number of compute units up to ${mostCu}, such as 0.25`);
}

function readFocusVersion(text: string): typeof focusVersion {
  if (text === focusVersion) return focusVersion;
  throw new InvalidArgumentError(
    `only FOCUS ${focusVersion} is written: leave the flag out, or write ${focusVersion}`,
  );
}
