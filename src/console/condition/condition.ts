import * as v from 'valibot';
import { instantField } from '../answer-field.ts';
import { showNumber } from '../part/number.ts';

/** Kinds of what an account, the histories or the daemon can be in, the most urgent first. */
export const conditionKinds = [
  'key_refused',
  'account_unreadable',
  'history_unwritable',
  'history_unreadable',
  'shard_missing',
  'history_behind',
  'account_unknown',
  'polling_stalled',
  'history_damaged',
  'collector_failing',
  'reload_failed',
  'problem_lasting',
  'history_set_aside',
  'account_left_out',
  'account_unread',
  'importing',
  'account_empty',
  'standby',
  'shard',
] as const;

export const conditionField = v.object({
  kind: v.picklist(conditionKinds),
  /** Critical: figures are old or missing. Warning: a part fails. Info: it is as it should be, and not all is shown. */
  severity: v.picklist(['critical', 'warning', 'info']),
  /** Null where it is of all. */
  account: v.nullable(v.string()),
  /** The collector that it is of, such as `api_keys`; null where it is of the whole account. */
  collector: v.nullable(v.string()),
  /** The condition in one sentence. */
  sentence: v.string(),
  /** Its consequence in one sentence; null where that is plain. */
  effect: v.nullable(v.string()),
  /** In the words of the log; null where nothing tells. */
  cause: v.nullable(v.string()),
  /** What to do, one step after another. */
  remedy: v.array(v.string()),
  /** The page of the runbook on it; null where there is none. */
  help: v.nullable(v.string()),
  /** The newest line of the log on it; null where there is none. */
  log: v.nullable(v.string()),
  since: v.nullable(instantField),
  /** What is shown of it is of this instant; null where nothing was ever read. */
  last_good: v.nullable(instantField),
  last_attempt: v.nullable(instantField),
  /** Since when the next attempt is under way; null while it is not. */
  attempt_since: v.nullable(instantField),
  /** When the next attempt begins; not before this instant where the service asked to wait. */
  next_attempt: v.nullable(instantField),
  /** Attempts that failed since it began. */
  failures: v.nullable(v.number()),
});
export type Condition = v.InferOutput<typeof conditionField>;

/** What is known of a condition besides what each has. */
export type ConditionDetails = Pick<Condition, 'kind' | 'severity' | 'sentence'> & Partial<Condition>;

/** The alerts that fire for a condition: their sections of the runbook say more. */
const alerts: Readonly<Partial<Record<Condition['kind'], string>>> = {
  key_refused: 'DbpmKeyRejected',
  account_unreadable: 'DbpmAccountFailing',
  collector_failing: 'DbpmCollectorFailing',
  history_unwritable: 'DbpmHistoryWriteFailed',
  history_damaged: 'DbpmHistoryDamaged',
  history_set_aside: 'DbpmHistorySetAside',
  polling_stalled: 'DbpmPollingStalled',
  reload_failed: 'DbpmConfigReloadFailed',
};

export function describeCondition(details: ConditionDetails): Condition {
  const alert = alerts[details.kind];
  return {
    help: alert === undefined ? null : `/help/alerts/${alert}`,
    ...{
      account: null,
      collector: null,
      effect: null,
      cause: null,
      remedy: [],
      log: null,
      since: null,
      failures: null,
    },
    ...{ last_good: null, last_attempt: null, attempt_since: null, next_attempt: null },
    ...details,
  };
}

/** Whether figures of an account are old or missing. */
export function isFailure({ severity }: Condition): boolean {
  return severity === 'critical';
}

/** The sentence for several conditions of a kind, with # for how many; a single one has its own sentence. */
const several: Readonly<Partial<Record<Condition['kind'], string>>> = {
  key_refused: 'The service refuses the API keys of # accounts',
  account_unreadable: '# accounts cannot be read',
  history_unwritable: 'What is read of # accounts cannot be written to the history',
  history_unreadable: '# histories cannot be read: what is in them is in no figure',
  shard_missing: '# shards have no history here: the figures are without their projects',
  history_behind: '# accounts are behind: what happened since is not known here',
  account_unknown: '# accounts are not known here',
  polling_stalled: 'Polling has stalled at # places',
  collector_failing: '# parts of accounts cannot be read',
  problem_lasting: '# things fail again and again',
  account_left_out: '# accounts are left out',
  account_unread: '# accounts are being read for the first time',
  importing: 'The past of # accounts is still being read',
  account_empty: '# accounts have no projects',
};

/** One sentence for conditions of one kind, without its full stop. */
export function sayTogether(together: readonly Condition[]): string {
  const [first] = together;
  if (first === undefined || together.length === 1) return first?.sentence ?? '';
  return several[first.kind]?.replace('#', showNumber(together.length)) ?? first.sentence;
}
