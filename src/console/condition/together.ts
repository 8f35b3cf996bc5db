import { showNumber } from '../part/number.ts';
import type { Condition } from './condition.ts';

/** What several of a kind are told as; one is told in its own sentence. */
const several: Readonly<Partial<Record<Condition['kind'], string>>> = {
  key_refused: 'The service refuses the API keys of # accounts',
  account_unreadable: '# accounts cannot be read',
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
