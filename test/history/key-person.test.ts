import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { readKeys } from '../../src/history/usage/remembered-key.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { apiKeysReading, minute, startAt, type WireItem, wireKey } from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const ada = { created_by: { id: 'person-41', name: 'Ada Novak', image: 'https://avatars.example/1.png' } };
const dana = { created_by: { id: 'person-77', name: 'Dana Levi' } };

function list(history: History, minutes: number, ...people: readonly WireItem[]): void {
  const keys = people.map((person, index) => wireKey(index + 1, person));
  history.record(apiKeysReading(startAt + minutes * minute, keys));
}

function peopleIn(file: string): readonly (readonly (string | null)[])[] {
  const database = new Database(file, { readonly: true });
  const keys = readKeys(database).map(key => [key.created_by_id, key.created_by_name]);
  database.close();
  return keys;
}

test('who created a key stays in the history, without a picture: no sample says it', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  list(history, 0, ada, {});
  expect(linesOf(viewOf(history, startAt), 'dbpm_').join()).not.toMatch(/person|Ada/);
  list(history, 1, { created_by: { id: 'person-41', name: 'Ada Levi' } }, {});
  folder.close(history);
  expect(peopleIn(folder.file)).toEqual([
    ['person-41', 'Ada Levi'],
    [null, null],
  ]);
  expect(readFileSync(folder.file, 'latin1')).not.toContain('avatars');
});

test('people are hashed and have no name if that is wished, those from before too', () => {
  using folder = new HistoryFolder();
  const plain = folder.open();
  list(plain, 0, ada, dana);
  folder.close(plain);
  const hashed = folder.open({ people: 'hashed' });
  list(hashed, 1, ada, dana, ada);
  folder.close(hashed);
  const people = peopleIn(folder.file);
  expect(people).toEqual([0, 1, 2].map(() => [expect.stringMatching(/^hashed:[0-9a-f]{16}$/), null]));
  expect(people[0]).toEqual(people[2]);
  expect(people[0]).not.toEqual(people[1]);
  expect(readFileSync(folder.file, 'latin1')).not.toMatch(/person-|Ada|Dana/);
});

test('people are not remembered if that is wished, nor those from before', () => {
  using folder = new HistoryFolder();
  const plain = folder.open();
  list(plain, 0, ada);
  folder.close(plain);
  const without = folder.open({ people: 'none' });
  list(without, 1, ada, dana);
  folder.close(without);
  expect(peopleIn(folder.file)).toEqual([
    [null, null],
    [null, null],
  ]);
});
