import { writeMaybeInstant } from '../../answer-field.ts';
import { findHistoryGaps, type HistoryGap } from '../../history-gap.ts';
import type { LiveState } from '../../live-state.ts';
import { showNumber } from '../../part/number.ts';
import type { Trouble } from './overview-answer.ts';

/** So many are named. */
const mostExamples = 3;

const kinds: Readonly<Record<HistoryGap['kind'], (count: number) => string>> = {
  history_unreadable: count =>
    `${count === 1 ? 'A history' : `${showNumber(count)} histories`} cannot be read: what is in it is in no figure.`,
  shard_missing: count =>
    `${count === 1 ? 'A shard has' : `${showNumber(count)} shards have`} no history here: the figures are without its projects.`,
  history_behind: count =>
    `${count === 1 ? 'A history is' : `${showNumber(count)} histories are`} behind: what happened since is not known here.`,
  account_unknown: count => `${accounts(count)} not known here.`,
  account_left_out: count => `${accounts(count)} left out.`,
};

/** Troubles with the histories, where these are looked at without a daemon. */
export function findHistoryTroubles(
  { histories, now }: LiveState,
  accounts: readonly { readonly name: string }[],
): Trouble[] {
  if (histories === undefined) return [];
  const found = Map.groupBy(
    findHistoryGaps(
      histories,
      accounts.map(({ name }) => name),
      now,
    ),
    ({ kind }) => kind,
  );
  return [...found].map(([kind, gaps]) => ({
    kind,
    count: gaps.length,
    summary: kinds[kind](gaps.length),
    href: '/health',
    examples: gaps
      .slice(0, mostExamples)
      .map(({ text, detail, at }) => ({ text, href: null, detail, at: writeMaybeInstant(at) })),
  }));
}

function accounts(count: number): string {
  return count === 1 ? 'An account is' : `${showNumber(count)} accounts are`;
}
