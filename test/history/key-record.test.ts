import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  day,
  failedReading,
  instant,
  minute,
  startAt,
  wireKey,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const changes = 'dbpm_api_key_source_address_changes_total{key_id="1"}';
const value = (history: History, series: string) => sampleValue(viewOf(history, startAt), series);

/** Key 1 as used so many minutes after the start from an address; later readings follow a minute apart. */
function readUses(
  history: History,
  ...uses: readonly (readonly [atMinute: number, address: string])[]
): void {
  for (const [index, [atMinute, last_used_from_addr]] of uses.entries()) {
    const last_used_at = instant(startAt + atMinute * minute);
    const at = startAt + (index + 1) * minute;
    history.record(apiKeysReading(at, [wireKey(1, { last_used_at, last_used_from_addr })]));
  }
}

/** The remembered uses as `address from-until` in minutes after the start. */
function usesIn(file: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<[], { from_at: number; until_at: number; last_used_from_addr: string }>(
        'SELECT * FROM key_use ORDER BY from_at',
      )
      .all()
      .map(use => {
        const [from, until] = [use.from_at, use.until_at].map(at => (at - startAt) / minute);
        return `${use.last_used_from_addr} ${from}-${until}`;
      });
  } finally {
    database.close();
  }
}

test('a key never used is idle since its creation, and a use wakes it', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const created = Date.UTC(2026, 10, 1) / 1000;
  history.record(apiKeysReading(startAt, [wireKey(1, { last_used_at: null, last_used_from_addr: '' })]));
  expect(linesOf(viewOf(history, startAt), 'dbpm_api_key')).toEqual([
    'dbpm_api_key_info{key_id="1",key_name="key 1"} 1',
    `dbpm_api_key_created_timestamp_seconds{key_id="1"} ${created}`,
    `dbpm_api_key_idle_since_timestamp_seconds{key_id="1"} ${created}`,
    'dbpm_api_key_stale{key_id="1"} 0',
    'dbpm_api_key_source_address_changes_total{key_id="1"} 0',
  ]);
  readUses(history, [0, '10.0.0.1']);
  expect(value(history, 'dbpm_api_key_idle_since_timestamp_seconds{key_id="1"}')).toBe(startAt / 1000);
  expect(value(history, 'dbpm_api_key_last_used_timestamp_seconds{key_id="1"}')).toBe(startAt / 1000);
  expect(value(history, changes)).toBe(0);
});

test('a change of address counts once, by its first hop, across readings and restarts', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  readUses(history, [0, '10.0.0.1,172.16.0.1'], [5, '10.0.0.1,172.16.0.9'], [9, '10.0.0.2'], [9, '10.0.0.2']);
  expect(value(history, changes)).toBe(1);
  const restarted = folder.reopen(history);
  readUses(restarted, [9, '10.0.0.2'], [12, '10.0.0.1']);
  expect(value(restarted, changes)).toBe(2);
  expect(usesIn(folder.file)).toEqual(['10.0.0.1 0-5', '10.0.0.2 9-9', '10.0.0.1 12-12']);
});

test('an answer that is behind counts no change back and forth and loses no use', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  readUses(history, [0, '10.0.0.1'], [5, '10.0.0.1'], [9, '10.0.0.2'], [5, '10.0.0.1'], [9, '10.0.0.2']);
  history.record(apiKeysReading(startAt, [wireKey(1)]));
  expect(value(history, changes)).toBe(1);
  expect(value(history, 'dbpm_api_key_last_used_timestamp_seconds{key_id="1"}')).toBe(startAt / 1000 + 540);
  expect(usesIn(folder.file)).toEqual(['10.0.0.1 0-5', '10.0.0.2 9-9']);
});

test('a missing address is no change of address, nor is the next one', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  readUses(history, [0, '10.0.0.1'], [5, ''], [9, '10.0.0.1']);
  expect(value(history, changes)).toBe(0);
});

test('a key is stale once it is idle for longer than stale_after, not at the boundary', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ staleAfterMs: 45 * day });
  readUses(history, [0, '10.0.0.1']);
  const staleAt = (now: number) => viewOf(history, now).api_keys.map(({ stale }) => stale);
  expect(staleAt(startAt + 45 * day)).toEqual([false]);
  expect(staleAt(startAt + 45 * day + 1)).toEqual([true]);
});

test("staleness follows the service's clock where this host's is wrong", () => {
  using folder = new HistoryFolder();
  const history = folder.open({ staleAfterMs: 45 * day });
  const key = wireKey(1, { last_used_at: instant(startAt) });
  history.record(apiKeysReading(startAt, [key], { servedAt: startAt + 60 * day }));
  expect(viewOf(history, startAt).api_keys.map(({ stale }) => stale)).toEqual([true]);
});

test('a revoked key vanishes with the next complete list and not with a partial one', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const shown = () =>
    viewOf(history, startAt).api_keys.map(({ key_id, key_name }) => `${key_id} ${key_name}`);
  history.record(apiKeysReading(startAt, [wireKey(1), wireKey(2)]));
  history.record(apiKeysReading(startAt, [wireKey(2, { name: 'renamed' })], { complete: false }));
  expect(shown()).toEqual(['1 key 1', '2 renamed']);
  history.record(apiKeysReading(startAt, [wireKey(2, { name: 'renamed' })]));
  expect(shown()).toEqual(['2 renamed']);
});

test('keys that could not be listed for drop_after vanish, alone', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.record(apiKeysReading(startAt, [wireKey(1)]));
  history.record(failedReading(startAt, 'api_keys', 'timeout'));
  expect(viewOf(history, startAt + 10 * minute - 1).api_keys).toHaveLength(1);
  expect(viewOf(history, startAt + 10 * minute).api_keys).toEqual([]);
});

test('addresses stay in the history: no sample carries one', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  readUses(history, [0, '10.0.0.1'], [5, '10.0.0.2']);
  expect(linesOf(viewOf(history, startAt), 'dbpm_').join('\n')).not.toContain('10.0.0');
});

test('addresses are hashed if that is wished, those from before too, and changes are counted all the same', () => {
  using folder = new HistoryFolder();
  const plain = folder.open();
  readUses(plain, [1, '192.0.2.1'], [2, '192.0.2.77']);
  folder.close(plain);
  const hashed = folder.open({ sourceAddresses: 'hashed' });
  readUses(hashed, [3, '192.0.2.77'], [4, '192.0.2.1']);
  expect(value(hashed, changes)).toBe(2);
  folder.close(hashed);
  const uses = usesIn(folder.file);
  expect(uses).toEqual([
    expect.stringMatching(/^hashed:[0-9a-f]{16} 1-1$/),
    expect.stringMatching(/^hashed:[0-9a-f]{16} 2-3$/),
    expect.stringMatching(/^hashed:[0-9a-f]{16} 4-4$/),
  ]);
  expect(uses[0]?.slice(0, 23)).toBe(uses[2]?.slice(0, 23));
  expect(uses[0]?.slice(0, 23)).not.toBe(uses[1]?.slice(0, 23));
  expect(readFileSync(folder.file, 'latin1')).not.toContain('192.0.2.');
  const again = folder.open();
  readUses(again, [5, '192.0.2.1']);
  expect(value(again, changes)).toBe(2);
});

test('addresses are not remembered if that is wished, nor those from before', () => {
  using folder = new HistoryFolder();
  const plain = folder.open();
  readUses(plain, [1, '192.0.2.1'], [2, '192.0.2.77']);
  folder.close(plain);
  const without = folder.open({ sourceAddresses: 'none' });
  readUses(without, [3, '192.0.2.5'], [4, '192.0.2.6']);
  expect(value(without, changes)).toBe(1);
  folder.close(without);
  expect(usesIn(folder.file).every(use => use.startsWith('null '))).toBe(true);
});
