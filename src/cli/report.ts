import { Argument, Command } from 'commander';
import { loadCheckedConfig } from '../check/loaded-config.ts';
import { type ReportFlags, type ReportKind, reportKinds } from '../report/kind.ts';
import type { Io } from './io.ts';
import { addReportOptions } from './report-option.ts';
import { renderSettingHelp } from './setting-help.ts';
import { addSettingOptions, readSettingFlags, serveSettings } from './setting-option.ts';

const sourceHelp = `
Everything comes from the history, also beside a running daemon; nothing is asked of the service, and neither accounts
nor their keys are needed. Where the history cannot tell all that was asked for, stderr says what is missing and the exit code is 3.`;

/** `report`: usage, cost, API keys, operations or findings of a period. */
export function reportCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('report')
    .description('report usage, cost, API keys, operations or findings of a period from the history')
    .addArgument(new Argument('<what>', 'what is reported').choices(reportKinds));
  return addSettingOptions(addReportOptions(command), serveSettings)
    .addHelpText('after', `${sourceHelp}\n${renderSettingHelp()}`)
    .action(async (kind: ReportKind, flags: ReportFlags) => {
      const settings = readSettingFlags(command);
      const { config } = await loadCheckedConfig({ flags: settings, env: io.env, isOffline: true });
      // Only here, as SQLite costs `--help` a noticeable time.
      const { printReport } = await import('../report/report-printer.ts');
      await printReport(io, { kind, flags, config, now: now() });
    });
}
