import { Argument, Command } from 'commander';
import { loadCheckedConfig } from '../check/config/loaded-config.ts';
import { type Problem, renderProblem } from '../config/problem.ts';
import { type ReportKind, type ReportOptions, reportKinds } from '../report/kind.ts';
import { Failure } from '../resources/failure.ts';
import type { Io } from './io.ts';
import { printNote } from './paint.ts';
import { withProgress } from './progress.ts';
import { addReportOptions } from './report-option.ts';
import { settingNote } from './setting-help.ts';
import { addSettingOptions, historySettings, readSettingFlags, serveSettings } from './setting-option.ts';

const sourceHelp = `
Everything comes from the history, also beside a running daemon; nothing is asked of the service, and neither
accounts nor their keys are needed. Where the history cannot tell all that was asked for, stderr says what is missing
and the exit code is 3.
`;

/** `report`: usage, cost, API keys, operations or findings of a period, how it ends, why its cost is another one, or a show-back. */
export function reportCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('report')
    .description(
      'report usage, cost, API keys, operations or findings of a period, the forecast of a project or of each, why a cost changed, or a page for each group (showback), from the history',
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
