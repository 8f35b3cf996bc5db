import type { HistoryState } from '../../history/merge/history-states.ts';
import { minuteMs } from '../../resources/duration.ts';
import { findMissingShards, renderShard } from '../../resources/shard.ts';
import { writeMaybeInstant } from '../answer-field.ts';
import type { ConditionDetails } from './condition.ts';

/** Something that several histories lack together. */
interface HistoryGap {
  readonly kind:
    | 'history_unreadable'
    | 'history_behind'
    | 'shard_missing'
    | 'account_unknown'
    | 'account_left_out';
  readonly text: string;
  readonly detail: string;
  /** The account it is of; absent where it is of all that a history has. */
  readonly account?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
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
          account,
          text: account,
          detail: 'is in the configuration, and in none of these histories',
        }),
      ),
    ...[...known]
      .filter(account => !accounts.includes(account))
      .map(
        (account): HistoryGap => ({
          kind: 'account_left_out',
          account,
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
    account,
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
      const { account } = summary;
      return [{ kind: 'history_behind', account, text: file, detail: `${account} ${detail}`, ...at }];
    });
}

const said: Readonly<Record<HistoryGap['kind'], (gap: HistoryGap) => Partial<ConditionDetails>>> = {
  history_unreadable: ({ text, detail }) => ({
    sentence: `History ${text} cannot be read: what is in it is in no figure`,
    cause: detail,
  }),
  shard_missing: ({ text, account }) => ({
    sentence: `${text.replace('shard', 'Shard')} of account ${account} has no history here: the figures are without its projects`,
    remedy: ['add its history to history.file'],
  }),
  history_behind: ({ text, account }) => ({
    sentence: `History ${text} is behind: what happened to account ${account} since is not known here`,
    remedy: ['look whether the daemon that writes it runs, and reads the account'],
  }),
  account_unknown: ({ text, detail }) => ({
    sentence: `Account ${text} is not known here`,
    cause: `it ${detail}`,
  }),
  account_left_out: ({ text, detail }) => ({
    sentence: `Account ${text} is left out`,
    cause: `it ${detail}`,
  }),
};

/** A gap as all that is not as usual is described. */
export function describeGap(gap: HistoryGap): ConditionDetails {
  const { kind, account = null, at } = gap;
  const severity = kind === 'account_left_out' ? 'info' : kind === 'account_unknown' ? 'warning' : 'critical';
  return { kind, severity, account, last_good: writeMaybeInstant(at), sentence: '', ...said[kind](gap) };
}
