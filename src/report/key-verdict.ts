import type { RememberedKey } from '../history/usage/key-query.ts';
import { idleSinceOf, isUseUndated } from '../resources/api-key.ts';
import { dayMs, hourMs, minuteMs } from '../resources/duration.ts';
import { compact } from '../resources/field.ts';

/** What can be done about an API key, in the order of how much there is to do. */
export const keyVerdicts = ['safe_to_revoke', 'ask_first', 'in_use', 'gone'] as const;
type KeyVerdict = (typeof keyVerdicts)[number];

/** An API key with what can be done about it. */
export interface JudgedKey extends RememberedKey {
  /** Milliseconds since its last use, or else its creation, until now or until it was gone; absent where neither is known. */
  readonly idleMs?: number;
  /** Whether it was unused for longer than `keys.stale_after`; absent where that is not known. */
  readonly isStale?: boolean;
  /** Whether the daemon reads with it; absent where several can be meant. */
  readonly isOwn?: boolean;
  readonly verdict: KeyVerdict;
  /** A sentence that says why. */
  readonly reason: string;
}

/** Listing the keys uses one: its last use is this near to the list, by the clocks of the service. */
const nearListMs = minuteMs;

/** @param at the instant that the verdicts are of, in epoch milliseconds. */
export function judgeKeys(
  keys: readonly RememberedKey[],
  { at, staleAfterMs }: { readonly at: number; readonly staleAfterMs: number },
): readonly JudgedKey[] {
  const near = Map.groupBy(keys.filter(isNearList), ({ account }) => account);
  return keys.map(key => {
    const { account, gone_at } = key;
    const idleSinceAt = idleSinceOf(key);
    const endAt = Math.min(gone_at ?? at, at);
    const idleMs = idleSinceAt === undefined ? undefined : Math.max(0, endAt - idleSinceAt);
    const candidates = near.get(account) ?? [];
    const isMaybeOwn = candidates.includes(key);
    const isOwn = isMaybeOwn && candidates.length > 1 ? undefined : isMaybeOwn;
    const isStale = idleMs === undefined ? undefined : idleMs > staleAfterMs;
    const judged = { ...key, ...compact({ idleMs, isStale, isOwn }) };
    return { ...judged, ...judge(judged, gone_at !== null && gone_at <= at) };
  });
}

function isNearList({ last_used_at, listed_at, gone_at }: RememberedKey): boolean {
  return gone_at === null && last_used_at !== null && Math.abs(listed_at - last_used_at) <= nearListMs;
}

function judge(
  key: Omit<JudgedKey, 'verdict' | 'reason'>,
  isGone: boolean,
): Pick<JudgedKey, 'verdict' | 'reason'> {
  const { last_used_at, idleMs, isStale, isOwn } = key;
  if (isGone) return { verdict: 'gone', reason: 'The service lists it no longer.' };
  if (isOwn === true) return { verdict: 'in_use', reason: 'dbpm-exporter reads with it.' };
  if (idleMs === undefined) {
    const reason = isUseUndated(key)
      ? 'It was used, but when is not known.'
      : 'When it was made and last used is not known.';
    return { verdict: 'ask_first', reason };
  }
  const length = sayLength(idleMs);
  if (last_used_at === null) {
    return isStale === true
      ? { verdict: 'safe_to_revoke', reason: `Never used in the ${length} since it was made.` }
      : { verdict: 'ask_first', reason: `Never used, and made ${length} ago: somebody may be about to.` };
  }
  return isStale === true
    ? { verdict: 'ask_first', reason: `Used before, and silent for ${length}: a rare job may need it.` }
    : { verdict: 'in_use', reason: `Used ${length} ago: what uses it would break.` };
}

/** A length of time in one unit, as is enough to judge by. */
function sayLength(ms: number): string {
  const [unit, size] =
    ms >= 2 * dayMs ? ['days', dayMs] : ms >= 2 * hourMs ? ['hours', hourMs] : ['minutes', minuteMs];
  const count = Math.floor(ms / Number(size));
  return `${count} ${count === 1 ? String(unit).slice(0, -1) : unit}`;
}
