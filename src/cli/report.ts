import { Argument, Command } from 'commander';
import { loadCheckedConfig } from '../check/loaded-config.ts';
import { type Problem, renderProblem } from '../config/problem.ts';
import { type ReportKind, type ReportOptions, reportKinds } from '../report/kind.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { addReportOptions } from './report-option.ts';
import { renderSettingHelp } from './setting-help.ts';
import { addSettingOptions, readSettingFlags, serveSettings } from './setting-option.ts';

const sourceHelp = `
Everything comes from the history, also beside a running daemon; nothing is asked of the service, and neither accounts
nor their keys are needed. Where the history cannot tell all that was asked for, stderr says what is missing and the exit code is 3.`;

/** `report`: usage, cost, API keys, operations or findings of a period, or why its cost is another one. */
export function reportCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('report')
    .description(
      'report usage, cost, API keys, operations or findings of a period, or why its cost changed, from the history',
    )
    .addArgument(new Argument('<what>', 'what is reported').choices(reportKinds));
  return addSettingOptions(addReportOptions(command), serveSettings)
    .addHelpText('after', `${sourceHelp}\n${renderSettingHelp()}`)
    .action(async (kind: ReportKind, options: ReportOptions) => {
      const settings = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags: settings, env: io.env, isOffline: true });
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      const { makeReport } = await import('../report/maker.ts');
      const { renderReport } = await import('../report/format/rendering.ts');
      const onWarning = (warning: Problem) => io.stderr(`warning: ${renderProblem(warning)}\n`);
      const order = { kind, options, config, now: now() };
      const report = await withProgress(io, 'reading the history', onProgress =>
        makeReport(order, { onWarning, onProgress }),
      );
      io.stdout(renderReport(report, options.format));
      for (const gap of report.gaps) io.stderr(`partial: ${gap}\n`);
      if (report.partial) throw new Failure('the report is not of all that was asked for', 'partial');
    });
}
