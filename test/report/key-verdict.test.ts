import { expect, test } from 'vitest';
import type { RememberedKey } from '../../src/history/usage/key-query.ts';
import { judgeKeys } from '../../src/report/key-verdict.ts';
import { dayMs, hourMs, secondMs } from '../../src/resources/duration.ts';

const at = Date.parse('2026-11-24T12:00:00Z');

function key(key_id: string, fields: Partial<RememberedKey>): RememberedKey {
  return {
    ...{ account: 'main', key_id, key_name: null, created_at: at - 300 * dayMs, last_used_at: null },
    ...{ last_used_from_addr: null, source_address_changes: 0, created_by_id: null, created_by_name: null },
    ...{ gone_at: null, listed_at: at - 30 * secondMs },
    ...fields,
  };
}

const judge = (...keys: readonly RememberedKey[]) =>
  judgeKeys(keys, { at, staleAfterMs: 45 * dayMs }).map(({ verdict, reason, isOwn }) => [
    verdict,
    reason,
    isOwn,
  ]);

test.each<readonly [string, Partial<RememberedKey>, string, string]>([
  ['never used and old', {}, 'safe_to_revoke', 'Never used in the 300 days since it was made.'],
  [
    'never used and new',
    { created_at: at - 3 * dayMs },
    'ask_first',
    'Never used, and made 3 days ago: somebody may be about to.',
  ],
  [
    'never used and just as old as the border',
    { created_at: at - 45 * dayMs },
    'ask_first',
    'Never used, and made 45 days ago: somebody may be about to.',
  ],
  [
    'used and silent',
    { last_used_at: at - 118 * dayMs },
    'ask_first',
    'Used before, and silent for 118 days: a rare job may need it.',
  ],
  ['used', { last_used_at: at - 3 * hourMs }, 'in_use', 'Used 3 hours ago: what uses it would break.'],
  ['of nothing known', { created_at: null }, 'ask_first', 'When it was made and last used is not known.'],
  [
    'used from an address at a time that cannot be read',
    { last_used_from_addr: '10.0.0.1' },
    'ask_first',
    'It was used, but when is not known.',
  ],
  ['gone', { gone_at: at - dayMs }, 'gone', 'The service lists it no longer.'],
  ['gone later', { gone_at: at + dayMs }, 'safe_to_revoke', 'Never used in the 300 days since it was made.'],
])('a key that is %s is judged with its reason', (_, fields, verdict, reason) => {
  expect(judge(key('1', fields))).toEqual([[verdict, reason, false]]);
});

test("the daemon's own key was used when the keys were listed, where no other one was", () => {
  const own = key('1', { last_used_at: at - 35 * secondMs });
  expect(judge(own, key('2', { last_used_at: at - hourMs }))).toEqual([
    ['in_use', 'dbpm-exporter reads with it.', true],
    ['in_use', 'Used 60 minutes ago: what uses it would break.', false],
  ]);
  const other = key('3', { last_used_at: at - 20 * secondMs });
  expect(judge(own, other).map(([verdict, , isOwn]) => [verdict, isOwn])).toEqual([
    ['in_use', undefined],
    ['in_use', undefined],
  ]);
  const elsewhere = { ...other, account: 'other' };
  expect(judge(own, elsewhere).map(([, , isOwn]) => isOwn)).toEqual([true, true]);
});
