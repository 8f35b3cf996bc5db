import type { Account, Config } from '../../config/config.ts';
import { sizeFleet } from '../plan/account-fleet.ts';
import { type AccountPlan, planAccount } from '../plan/account-plan.ts';
import { usualPageSize } from '../plan/request.ts';
import { type Answers, isCutShort, valuesOf } from './answers.ts';
import { isToldByProject } from './project-use.ts';

/** The plan of an account by its answers; undefined where it is not known how many projects it has. */
export function planAnswers(
  { projects, apiKeys, sample, use }: Answers,
  account: Account,
  config: Config,
): AccountPlan | undefined {
  if ('error' in projects || isCutShort(projects.value)) return undefined;
  const { watched, pages, pageSize } = projects.value;
  const seen = valuesOf(sample?.endpoints ?? []);
  const endpoints = seen.flat();
  const fleet = sizeFleet({
    projects: watched.length,
    ...(seen.length > 0 && { endpointsPerProject: endpoints.length / seen.length }),
    // The share of busy projects in a sample alone would be chance.
    ...(seen.length > 0 &&
      seen.length === watched.length && {
        busy:
          seen.filter(each => each.some(({ current_state }) => current_state === 'active')).length /
          seen.length,
      }),
  });
  const keys = apiKeys !== undefined && 'value' in apiKeys ? { apiKeys: apiKeys.value } : {};
  const source = use && isToldByProject(use) ? { cpuSource: 'project' as const } : {};
  return planAccount(account, { ...fleet, ...keys, ...source }, config, pages > 1 ? pageSize : usualPageSize);
}
