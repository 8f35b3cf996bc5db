import { unwrittenReading } from '../../history/file/history-error.ts';
import type { ConsoleConfig } from '../console-config.ts';
import type { LiveState } from '../live-state.ts';
import { findAccountConditions } from './account-condition.ts';
import { type Condition, conditionKinds, describeCondition } from './condition.ts';
import { findProgramConditions } from './program-condition.ts';

/** All that is not as usual, the most urgent first: banners, lists and answers are drawn from this alone. */
export function describeConditions(
  live: LiveState,
  config: Pick<ConsoleConfig, 'accounts' | 'shard'>,
): readonly Condition[] {
  const ofAccounts = findAccountConditions(live, config.accounts);
  // A problem that accounts have told is not told once more of the daemon.
  const isTold = ofAccounts.some(({ kind }) => kind === 'history_unwritable');
  const problems = isTold ? live.problems.filter(({ what }) => what !== unwrittenReading) : live.problems;
  const found = [...ofAccounts, ...findProgramConditions({ ...live, problems }, config)];
  const rank = ({ kind }: Condition) => conditionKinds.indexOf(kind);
  return found.map(describeCondition).toSorted((one, other) => rank(one) - rank(other));
}
