import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { type Problem, renderProblem } from '../config/problem.ts';
import {
  focusVersion,
  type ReportKind,
  type ReportOptions,
  reportAxes,
  reportFormats,
  reportKinds,
  reportSteps,
} from '../report/kind.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { numberOption } from './number-option.ts';
import {
  addSettingOptions,
  historySettings,
  readSettingFlags,
  serveSettings,
  settingNote,
} from './setting-option.ts';
import { printNote, withProgress } from './terminal.ts';

const sourceHelp = `
Everything comes from the history, also beside a running daemon. Nothing is asked of the service, and no API key is
needed. Where the history lacks a part, stderr says what is missing, and the exit code is 3.
`;

/** `report`: usage, cost, API keys, operations or findings of a period, how it ends, why its cost is another one, or a show-back. */
export function reportCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('report')
    .description(
      'answer from the history: what was used, what it cost and why that changed, budgets, forecasts, findings, operations, API keys, a page for each group (showback)',
    )
    .addArgument(new Argument('<what>', 'what is reported').choices(reportKinds));
  return addSettingOptions(addReportOptions(command), serveSettings, historySettings)
    .addHelpText('after', `${sourceHelp}\n${settingNote}`)
    .action(async (kind: ReportKind, options: ReportOptions) => {
      const settings = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags: settings, env: io.env, isOffline: true });
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { writeReport } = await import('../report/writer.ts');
      const onWarning = (warning: Problem) => printNote(io, 'warning', renderProblem(warning));
      const order = { kind, options, config, now: now() };
      const { text, gaps } = await withProgress(io, 'reading the history', onProgress =>
        writeReport(order, { onWarning, onProgress }),
      );
      io.stdout(text);
      for (const gap of gaps) printNote(io, 'partial', gap);
      if (gaps.length > 0) throw new Failure('the report is not of all that was asked for', 'partial');
    });
}

/** Adds the flags of `report`, whose values are `ReportOptions`. */
function addReportOptions(command: Command): Command {
  return command
    .option(
      '--period <period>',
      'such as 2026-10, 2026-Q4, this-month, last-month, last-3-months, last-30d, 2026-09..2026-11, 2026-10-01..2026-11-01, or a billing period: billing, last-billing, billing:2026-10 (default: this-month for usage, cost and showback, last-billing for why, last-3-months for months, last-30d for the others; forecasts and budgets are of now)',
    )
    .option('--against <period>', 'for why: the period to compare with (default: the one before)')
    .addOption(
      new Option(
        '--by <what>',
        'what a row is for (default: project; account for forecast, the groups for months; findings have one each)',
      ).choices(reportAxes),
    )
    .addOption(
      new Option(
        '--format <format>',
        'how it is written (default: table; markdown for showback); focus is the FinOps cost CSV, for cost alone; html for showback alone',
      ).choices(reportFormats),
    )
    .option('--grouping <name>', 'the grouping of --by group (default: the first of the configuration)')
    .option(
      '--group <group>',
      'for showback and why: one group, such as team/platform (default: all; a page for each)',
    )
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
      numberOption('--top <count>', 'for cost: how many of the dearest have rows; all others share one', {
        least: 1,
        most: 10_000,
      }),
    )
    .option(
      '--share',
      'for cost and months: share minimums and other charges of an account out to its projects, and so to groups and regions',
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
