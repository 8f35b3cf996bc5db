import type { Config } from '../../config/config.ts';
import type { AccountPlan } from '../plan/account-plan.ts';
import { describeAnswers } from './account-line.ts';
import { askAccount, type QuestionOptions } from './account-question.ts';
import type { Answers } from './answers.ts';
import type { CheckLine } from './check-line.ts';
import { planAnswers } from './fleet-estimate.ts';

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
    onProgress([...done.values()].reduce((sum, each) => sum + each, 0) / accounts.length);
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
