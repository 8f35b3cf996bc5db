import { onTestFinished } from 'vitest';
import { loadCheckedConfig } from '../../src/check/config/loaded-config.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator, type WorkedOut } from '../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../src/report/usage-view/options.ts';

/** As a thread that did not work out anything yet. */
export const nothingWorkedOut: WorkedOut = { view: () => undefined };

/** Use and cost of a history's account `main` as the daemon works them out for the console and the metrics, analysis included. */
export async function workOutUsage(configFile: string, historyFile: string) {
  const flags = { 'config.file': configFile, 'history.file': historyFile };
  const { config } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  const options = { ...usageOptionsOf(config), accounts: ['main'] };
  const reader = new UsageReader(historyFile, options.accounts);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator(options, reader);
  calculator.analyze();
  return calculator.calculate()?.view;
}
