import type { HistoryState } from '../history/merge/history-states.ts';
import { minuteMs } from '../resources/duration.ts';
import { findMissingShards, renderShard } from '../resources/shard.ts';

/** Something that several histories lack together. */
export interface HistoryGap {
  readonly kind:
    | 'history_unreadable'
    | 'history_behind'
    | 'shard_missing'
    | 'account_unknown'
    | 'account_left_out';
  readonly text: string;
  readonly detail: string;
  /** Epoch milliseconds. */
  readonly at?: number;
}

/** A daemon that polls its lists is never further behind. */
const freshMs = 15 * minuteMs;

/**
 * The gaps of histories: use that is in no figure.
 *
 * @param accounts those that are shown.
 */
export function findHistoryGaps(
  files: readonly HistoryState[],
  accounts: readonly string[],
  now: number,
): readonly HistoryGap[] {
  const known = new Set(files.flatMap(each => each.accounts.map(({ summary }) => summary.account)));
  return [
    ...files.flatMap(({ file, problem }): HistoryGap[] =>
      problem === undefined
        ? []
        : [{ kind: 'history_unreadable', text: file, detail: problem.replace(`${file} `, '') }],
    ),
    ...accounts.flatMap(account => findShardGaps(files, account)),
    ...files.flatMap(each => findBehind(each, now)),
    ...accounts
      .filter(account => !known.has(account))
      .map(
        (account): HistoryGap => ({
          kind: 'account_unknown',
          text: account,
          detail: 'is in the configuration, and in none of these histories',
        }),
      ),
    ...[...known]
      .filter(account => !accounts.includes(account))
      .map(
        (account): HistoryGap => ({
          kind: 'account_left_out',
          text: account,
          detail: 'is in these histories, and not in the configuration',
        }),
      ),
  ];
}

/** Shards of an account whose history is not there; none where one of its histories is of all projects. */
function findShardGaps(files: readonly HistoryState[], account: string): readonly HistoryGap[] {
  const own = files.filter(each => each.accounts.some(({ summary }) => summary.account === account));
  return findMissingShards(own.map(({ shard }) => shard)).map(shard => ({
    kind: 'shard_missing',
    text: `shard ${renderShard(shard)}`,
    detail: `of ${account} is in none of these histories`,
  }));
}

/** Accounts that a history has projects of, and that were not read for long. */
function findBehind({ file, accounts }: HistoryState, now: number): readonly HistoryGap[] {
  return accounts
    .filter(({ projects }) => projects > 0)
    .flatMap(({ summary, newestReadAt }): HistoryGap[] => {
      if (newestReadAt !== undefined && newestReadAt >= now - freshMs) return [];
      const detail = newestReadAt === undefined ? 'was never read' : 'was last read';
      const at = newestReadAt === undefined ? {} : { at: newestReadAt };
      return [{ kind: 'history_behind', text: file, detail: `${summary.account} ${detail}`, ...at }];
    });
}
