import type { Config } from '../../config/config.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { usageOfReport } from '../../history/usage/usage-history.ts';
import type { ShownUsage } from '../../resources/usage/view.ts';
import { UsageCalculator } from './calculator.ts';
import { usageOptionsOf } from './options.ts';

/** Budgets and forecasts as a look at the history tells them; undefined before it was analyzed. */
export type LookAtUsage = (history: ReportHistory) => ShownUsage | undefined;

/** Analyzes a history for one look, which takes seconds for a large fleet: as the daemon does it again and again. */
export function analyzeOnce(config: Config, history: ReportHistory): ShownUsage | undefined {
  const seen = { ...usageOfReport(history), ledgers: () => 0 };
  const options = { ...usageOptionsOf(config), accounts: history.accounts };
  const calculator = new UsageCalculator(options, { look: () => seen, steadily: work => work() });
  calculator.analyze();
  return calculator.view(seen);
}
