import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { findAccountFleets } from '../plan/account-fleet.ts';
import { planAccount } from '../plan/account-plan.ts';
import { renderCount } from '../plan/format/count.ts';
import { describeLateness, renderRemedy } from '../plan/format/verdict.ts';
import { usualPageSize } from '../plan/request.ts';

/** Warns of accounts whose request budget is too small for the projects the history knows of them. */
export function warnOfSmallBudgets({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  return findAccountFleets(config, {}).found.flatMap(({ account, fleet }) => {
    const planned = planAccount(account, fleet, config, usualPageSize, config.shard?.count);
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
