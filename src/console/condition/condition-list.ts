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
  const found = [...findAccountConditions(live, config.accounts), ...findProgramConditions(live, config)].map(
    describeCondition,
  );
  const isToldOfAccounts = found.some(({ kind }) => kind === 'history_unwritable');
  const told = isToldOfAccounts ? found.filter(({ sentence }) => sentence !== unwrittenReading) : found;
  const rank = ({ kind }: Condition) => conditionKinds.indexOf(kind);
  return told.toSorted((one, other) => rank(one) - rank(other));
}
