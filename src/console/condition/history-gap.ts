import type { HistoryState } from '../../history/merge/history-states.ts';
import { minuteMs } from '../../resources/duration.ts';
import { findMissingShards, renderShard } from '../../resources/shard.ts';
import { writeMaybeInstant } from '../answer-value.ts';
import type { ConditionDetails } from './condition.ts';

/** Something that several histories lack together, as the list of histories has it and as a condition. */
interface HistoryGap {
  readonly text: string;
  readonly detail: string;
  /** Epoch milliseconds. */
  readonly at?: number | undefined;
  readonly condition: ConditionDetails;
}

/** A daemon that polls its lists is never further behind. */
const freshMs = 15 * minuteMs;

/**
 * The gaps of histories: use that is in no figure.
 *
 * @param accounts the accounts that are shown.
 */
export function findHistoryGaps(
  files: readonly HistoryState[],
  accounts: readonly string[],
  now: number,
): readonly HistoryGap[] {
  const known = new Set(files.flatMap(each => each.accounts.map(({ summary }) => summary.account)));
  return [
    ...files.flatMap(findUnreadable),
    ...accounts.flatMap(account => findShardGaps(files, account)),
    ...files.flatMap(each => findBehind(each, now)),
    ...accounts
      .filter(account => !known.has(account))
      .map(account => {
        const detail = 'is in the configuration, and in none of these histories';
        const sentence = `Account ${account} is not known here`;
        return ofAccount({ kind: 'account_unknown', severity: 'warning', account, sentence }, detail);
      }),
    ...[...known]
      .filter(account => !accounts.includes(account))
      .map(account => {
        const detail = 'is in these histories, and not in the configuration';
        const sentence = `Account ${account} is left out`;
        return ofAccount({ kind: 'account_left_out', severity: 'info', account, sentence }, detail);
      }),
  ];
}

function ofAccount(condition: ConditionDetails & { readonly account: string }, detail: string): HistoryGap {
  return { text: condition.account, detail, condition: { ...condition, cause: `it ${detail}` } };
}

function findUnreadable({ file, problem }: HistoryState): readonly HistoryGap[] {
  if (problem === undefined) return [];
  const detail = problem.replace(`${file} `, '');
  const sentence = `History ${file} cannot be read: what is in it is in no figure`;
  const condition = { kind: 'history_unreadable', severity: 'critical', sentence, cause: detail } as const;
  return [{ text: file, detail, condition }];
}

/** Shards of an account whose history is not there; none where one of its histories is of all projects. */
function findShardGaps(files: readonly HistoryState[], account: string): readonly HistoryGap[] {
  const own = files.filter(each => each.accounts.some(({ summary }) => summary.account === account));
  return findMissingShards(own.map(({ shard }) => shard)).map(shard => ({
    text: `shard ${renderShard(shard)}`,
    detail: `of ${account} is in none of these histories`,
    condition: {
      ...{ kind: 'shard_missing', severity: 'critical', account },
      sentence: `Shard ${renderShard(shard)} of account ${account} has no history here: the figures are without its projects`,
      remedy: ['add its history to history.file'],
    },
  }));
}

/** Accounts that a history has projects of, and that were not read for long. */
function findBehind({ file, accounts }: HistoryState, now: number): readonly HistoryGap[] {
  return accounts
    .filter(({ projects, newestReadAt }) => projects > 0 && (newestReadAt ?? 0) < now - freshMs)
    .map(({ summary: { account }, newestReadAt: at }) => ({
      text: file,
      detail: `${account} ${at === undefined ? 'was never read' : 'was last read'}`,
      at,
      condition: {
        ...{ kind: 'history_behind', severity: 'critical', account, last_good: writeMaybeInstant(at) },
        sentence: `History ${file} is behind: what happened to account ${account} since is not known here`,
        remedy: ['look whether the daemon that writes it runs, and reads the account'],
      },
    }));
}
