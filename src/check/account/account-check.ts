import type { Account, Config } from '../../config/config.ts';
import { sumOf } from '../../resources/sum.ts';
import { sizeFleet } from '../plan/account-fleet.ts';
import { type AccountPlan, planAccount } from '../plan/account-plan.ts';
import { usualPageSize } from '../plan/request.ts';
import { type CheckLine, describeAnswers } from './account-line.ts';
import { askAccount, type QuestionOptions } from './account-question.ts';
import { type Answers, isCutShort, isToldByProject, valuesOf } from './answers.ts';

/** A check of one account. */
export interface AccountCheck {
  readonly answers: Answers;
  /** Absent where the projects of the account are not known. */
  readonly plan?: AccountPlan;
  readonly lines: readonly CheckLine[];
}

/**
 * Asks every account of the configuration what the daemon would ask it; nothing is remembered. Throws the signal's reason.
 *
 * @param options.onProgress told how far all questions are, 0 to 1.
 */
export function checkAccounts(
  config: Config,
  { userAgent, signal, onProgress }: Omit<QuestionOptions, 'collect'>,
): Promise<readonly AccountCheck[]> {
  const { accounts, collect } = config;
  const done = new Map<string, number>();
  const noteDone = (account: string, part: number) => {
    done.set(account, part);
    onProgress(sumOf(done.values()) / accounts.length);
  };
  return Promise.all(
    accounts.map(async account => {
      const options = { collect, userAgent, signal };
      const answers = await askAccount(account, {
        ...options,
        onProgress: part => noteDone(account.name, part),
      });
      noteDone(account.name, 1);
      const plan = planAnswers(answers, account, config);
      return { answers, ...(plan && { plan }), lines: describeAnswers(answers, plan) };
    }),
  );
}

/** Whether something of the account cannot be read. */
export function hasFailed({ lines }: AccountCheck): boolean {
  return lines.some(({ status }) => status === 'failed');
}

/** The plan of an account by its answers; undefined where it is not known how many projects it has. */
function planAnswers(
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
