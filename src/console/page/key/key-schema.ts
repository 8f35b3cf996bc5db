import * as v from 'valibot';
import { keyColumns } from '../../../report/key.ts';
import { keyVerdicts } from '../../../report/key-verdict.ts';
import { columnFields, instantField, spanField } from '../../answer-field.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';

const useField = v.object({ ...spanField.entries, address: v.nullable(v.string()) });
const keyField = v.object({
  ...columnFields(keyColumns),
  account: v.string(),
  key_id: v.string(),
  /** Since its last use, or its creation if it was never used. */
  idle_since: v.nullable(instantField),
  /** What can be done about it, and a sentence that says why. */
  verdict: v.picklist(keyVerdicts),
  reason: v.string(),
  /** The request that revokes it. */
  revoke: v.nullable(v.string()),
  /** How many times it was used from another address than before. */
  address_changes: v.number(),
  /** Personal data: null unless the reader may see it. */
  uses: v.nullable(v.array(useField)),
});
export type KeyAnswer = v.InferOutput<typeof keyField>;

/** The words that keys are sorted by. */
const keySorts = ['verdict', 'idle', 'name', 'account', 'created', 'last_used', 'changes'] as const;
/** The kinds of keys that can be shown alone. */
const shownKinds = ['all', 'safe_to_revoke', 'ask_first', 'in_use', 'stale', 'never_used', 'gone'] as const;

export const keyQuery = v.object({
  sort: choice(keySorts),
  order: choice(['desc', 'asc']),
  account: text(),
  show: choice(shownKinds),
  limit: limit(100),
  cursor: cursor(),
});

export type KeyQuery = v.InferOutput<typeof keyQuery>;

export const keysField = v.object({
  accounts: v.array(v.string()),
  stale_after_ms: v.number(),
  shows_personal_data: v.boolean(),
  /** The shard that reads the keys, such as 0/3, where it is another one. */
  read_by_shard: v.nullable(v.string()),
  /** Keys by what can be done about them, whatever kind is shown. */
  verdicts: v.object(v.entriesFromList(keyVerdicts, v.number())),
  /** When the keys were last read, of the account where that is longest ago; null where they never were. */
  read_at: v.nullable(instantField),
  /** Keys that were asked for, on other pages too. */
  count: v.number(),
  keys: v.array(keyField),
  next_cursor: v.nullable(v.string()),
});
