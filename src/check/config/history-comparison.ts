import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { warnOfSmallBudgets } from './small-budget.ts';
import { warnOfUnmatched } from './unmatched-project.ts';

/**
 * Warnings of a configuration that only the projects its history knows can give: request budgets too small for them, and
 * groups, plans and budgets that are for none of them.
 *
 * @throws HistoryError when there is a history that cannot be read.
 */
export function compareWithHistory(loaded: Omit<LoadedConfig, 'warnings'>): Problem[] {
  return [...warnOfSmallBudgets(loaded), ...warnOfUnmatched(loaded)];
}
