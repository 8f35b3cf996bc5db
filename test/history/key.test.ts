import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readKeys } from '../../src/history/usage/key-query.ts';
import { lookAt, restart, type Step, ToldHistory, testExposition } from '../support/exposition-table.ts';
import {
  apiKeysReading,
  day,
  instant,
  minute,
  startAt,
  type WireItem,
  wireKey,
} from '../support/reading-builder.ts';

const at = (minutes: number) => startAt + minutes * minute;

/** Key 1 as used at a minute after the start from an address; the first is read after a minute, the next one after two. */
const uses = (...all: readonly (readonly [atMinute: number, address: string])[]) =>
  all.map(([atMinute, last_used_from_addr], index) =>
    apiKeysReading(at(index + 1), [wireKey(1, { last_used_at: instant(at(atMinute)), last_used_from_addr })]),
  );
const changes = (count: number) => `dbpm_api_key_source_address_changes_total{key_id="1"} ${count}`;
const usedAt = (minutes: number) =>
  `dbpm_api_key_last_used_timestamp_seconds{key_id="1"} ${startAt / 1000 + minutes * 60}`;
const named = (id: number, name: string) => `dbpm_api_key_info{key_id="${id}",key_name="${name}"} 1`;

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

const remembers =
  (...expected: readonly string[]): Step =>
  ({ file }) =>
    expect(usesIn(file)).toEqual(expected);

testExposition('dbpm_api_key_source_address_changes_total', {
  'a key never used is idle since its creation, and a use wakes it': [
    apiKeysReading(startAt, [wireKey(1, { last_used_at: null, last_used_from_addr: '' })]),
    `${named(1, 'key 1')}
     dbpm_api_key_created_timestamp_seconds{key_id="1"} 1793491200
     dbpm_api_key_idle_since_timestamp_seconds{key_id="1"} 1793491200
     dbpm_api_key_last_used_timestamp_seconds{key_id="1"} absent
     dbpm_api_key_stale{key_id="1"} 0
     ${changes(0)}`,
    ...uses([0, '10.0.0.1']),
    `${named(1, 'key 1')}
     dbpm_api_key_created_timestamp_seconds{key_id="1"} 1793491200
     dbpm_api_key_idle_since_timestamp_seconds{key_id="1"} ${startAt / 1000}
     ${usedAt(0)}
     dbpm_api_key_stale{key_id="1"} 0
     ${changes(0)}`,
  ],
  'a change of address counts once, by its first hop, across readings and restarts': [
    ...uses([0, '10.0.0.1,172.16.0.1'], [5, '10.0.0.1,172.16.0.9'], [9, '10.0.0.2'], [9, '10.0.0.2']),
    changes(1),
    restart(),
    ...uses([9, '10.0.0.2'], [12, '10.0.0.1']),
    changes(2),
    remembers('10.0.0.1 0-5', '10.0.0.2 9-9', '10.0.0.1 12-12'),
  ],
  'an answer that is behind counts no change back and forth and loses no use': [
    ...uses([0, '10.0.0.1'], [5, '10.0.0.1'], [9, '10.0.0.2'], [5, '10.0.0.1'], [9, '10.0.0.2']),
    apiKeysReading(startAt, [wireKey(1)]),
    remembers('10.0.0.1 0-5', '10.0.0.2 9-9'),
    `${changes(1)}
     ${usedAt(9)}`,
  ],
  'a missing address is no change of address, nor is the next one': [
    ...uses([0, '10.0.0.1'], [5, ''], [9, '10.0.0.1']),
    changes(0),
  ],
  'a key is stale once it is idle for longer than stale_after, not at the boundary': [
    ...uses([0, '10.0.0.1']),
    lookAt(startAt + 45 * day),
    'dbpm_api_key_stale{key_id="1"} 0',
    lookAt(startAt + 45 * day + 1),
    'dbpm_api_key_stale{key_id="1"} 1',
  ],
  'a revoked key vanishes with the next complete list and not with a partial one': [
    apiKeysReading(startAt, [wireKey(1), wireKey(2)]),
    apiKeysReading(startAt, [wireKey(2, { name: 'renamed' })], { complete: false }),
    `${named(1, 'key 1')}
     ${named(2, 'renamed')}`,
    apiKeysReading(startAt, [wireKey(2, { name: 'renamed' })]),
    named(2, 'renamed'),
  ],
});

test.each([
  ['in another format', 'Tue, 24 Nov 2026 12:00:00 GMT'],
  ['as a number', 1_795_885_086],
  ['of another century', '2099-01-01T00:00:00Z'],
  ['not told', null],
])(
  'a key with an address, whose last use is %s, is neither stale nor idle since its creation',
  (_, last_used_at) => {
    const told = new ToldHistory();
    const old = { created_at: '2025-01-01T00:00:00Z' };
    const unused = wireKey(1, { ...old, last_used_at: null, last_used_from_addr: '' });
    const used = wireKey(2, { ...old, last_used_at, last_used_from_addr: '10.0.0.1' });
    // The second was not used when it was first listed.
    told.tell(apiKeysReading(startAt, [unused, { ...unused, id: 2 }]));
    told.tell(apiKeysReading(at(1), [unused, used]));
    expect(told.view().api_keys.map(({ stale, idleSinceAt }) => [stale, idleSinceAt])).toEqual([
      [true, Date.parse('2025-01-01T00:00:00Z')],
      [undefined, undefined],
    ]);
  },
);

test("staleness follows the service's clock where this host's is wrong", () => {
  const told = new ToldHistory();
  const key = wireKey(1, { last_used_at: instant(startAt) });
  told.tell(apiKeysReading(startAt, [key], { servedAt: startAt + 60 * day }));
  expect(told.view().api_keys.map(({ stale }) => stale)).toEqual([true]);
});

test('addresses stay in the history: no sample carries one', () => {
  const told = new ToldHistory();
  told.tell(...uses([0, '10.0.0.1'], [5, '10.0.0.2']));
  expect(told.allLines().join('\n')).not.toContain('10.0.0');
});

test('addresses are hashed if that is wished, those from before too, and changes are counted all the same', () => {
  const told = new ToldHistory();
  const addressChanges = () => told.view().api_keys[0]?.sourceAddressChanges;
  told.tell(...uses([1, '192.0.2.1'], [2, '192.0.2.77']));
  told.restart({ sourceAddresses: 'hashed' });
  told.tell(...uses([3, '192.0.2.77'], [4, '192.0.2.1']));
  expect(addressChanges()).toBe(2);
  told.close();
  const found = usesIn(told.file);
  expect(found).toEqual([
    expect.stringMatching(/^hashed:[0-9a-f]{16} 1-1$/),
    expect.stringMatching(/^hashed:[0-9a-f]{16} 2-3$/),
    expect.stringMatching(/^hashed:[0-9a-f]{16} 4-4$/),
  ]);
  const [first, second, third] = found.map(use => use.slice(0, 23));
  expect(first).toBe(third);
  expect(first).not.toBe(second);
  expect(readFileSync(told.file, 'latin1')).not.toContain('192.0.2.');
  told.restart({});
  told.tell(...uses([5, '192.0.2.1']));
  expect(addressChanges()).toBe(2);
});

test('addresses are not remembered if that is wished, nor those from before', () => {
  const told = new ToldHistory();
  told.tell(...uses([1, '192.0.2.1'], [2, '192.0.2.77']));
  told.restart({ sourceAddresses: 'none' });
  told.tell(...uses([3, '192.0.2.5'], [4, '192.0.2.6']));
  expect(told.view().api_keys[0]?.sourceAddressChanges).toBe(1);
  told.close();
  expect(usesIn(told.file).every(use => use.startsWith('null '))).toBe(true);
});

const ada = { created_by: { id: 'person-41', name: 'Ada Novak', image: 'https://avatars.example/1.png' } };
const dana = { created_by: { id: 'person-77', name: 'Dana Levi' } };
/** Keys from 1 on, each with who created it. */
const keysOf = (minutes: number, ...people: readonly WireItem[]) =>
  apiKeysReading(
    at(minutes),
    people.map((person, index) => wireKey(index + 1, person)),
  );

function peopleIn(file: string): readonly (readonly (string | null)[])[] {
  const database = new Database(file, { readonly: true });
  const keys = readKeys(database).map(key => [key.created_by_id, key.created_by_name]);
  database.close();
  return keys;
}

test('who created a key stays in the history, without a picture: no sample says it', () => {
  const told = new ToldHistory();
  told.tell(keysOf(0, ada, {}));
  expect(told.allLines().join()).not.toMatch(/person|Ada/);
  told.tell(keysOf(1, { created_by: { id: 'person-41', name: 'Ada Levi' } }, {}));
  told.close();
  expect(peopleIn(told.file)).toEqual([
    ['person-41', 'Ada Levi'],
    [null, null],
  ]);
  expect(readFileSync(told.file, 'latin1')).not.toContain('avatars');
});

test('people are hashed and have no name if that is wished, those from before too', () => {
  const told = new ToldHistory();
  told.tell(keysOf(0, ada, dana));
  told.restart({ people: 'hashed' });
  told.tell(keysOf(1, ada, dana, ada));
  told.close();
  const people = peopleIn(told.file);
  expect(people).toEqual([0, 1, 2].map(() => [expect.stringMatching(/^hashed:[0-9a-f]{16}$/), null]));
  expect(people[0]).toEqual(people[2]);
  expect(people[0]).not.toEqual(people[1]);
  expect(readFileSync(told.file, 'latin1')).not.toMatch(/person-|Ada|Dana/);
});

test('people are not remembered if that is wished, nor those from before', () => {
  const told = new ToldHistory();
  told.tell(keysOf(0, ada));
  told.restart({ people: 'none' });
  told.tell(keysOf(1, ada, dana));
  told.close();
  expect(peopleIn(told.file)).toEqual([
    [null, null],
    [null, null],
  ]);
});
