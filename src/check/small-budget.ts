import { usualPageSize } from '../cli/plan-option.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Problem } from '../config/problem.ts';
import { planAccount } from '../plan/account-plan.ts';
import { describeLateness, renderCount, renderRemedy } from '../plan/budget-sentence.ts';
import { findAccountFleets } from '../plan/planned-fleet.ts';

/** Warns of accounts whose budget is too small for as many projects as the history knows of them. */
export function warnOfSmallBudgets({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  return findAccountFleets(config, {}).found.flatMap(({ account, fleet }) => {
    const planned = planAccount(account, fleet, config, usualPageSize);
    const late = describeLateness(planned);
    if (late === undefined) return [];
    const index = config.accounts.findIndex(({ name }) => name === account.name);
    const key = `accounts[${index}].requests_per_minute`;
    return {
      where: effective.find(setting => setting.key === key)?.from ?? 'configuration',
      key,
      found: `${account.requestsPerMinute}, too few for ${renderCount(fleet.projects)} projects: ${late}`,
      expected: `write ${renderRemedy(planned)}`,
    };
  });
}
