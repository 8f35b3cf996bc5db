import { expect, test } from 'vitest';
import { UsedKeys } from '../../src/daemon/used-key.ts';

const account = (key: string) => ({
  name: 'main',
  base_url: new URL('https://api.example.com/api/v2/'),
  readApiKey: () => key,
  requestsPerMinute: 300,
  projects: { include: ['*'], exclude: [] },
});
const paused = { perMinute: 150, settledAt: 1000, pausedUntil: 3_601_000 };

test('a pause goes on after a reload with the same key, and after a start', () => {
  const keys = new UsedKeys();
  expect(keys.budgetOf(account('first'), paused)).toEqual(paused);
  keys.follow(account('first')).readApiKey();
  expect(keys.budgetOf(account('first'), paused)).toEqual(paused);
});

test('a pause goes on after a restart with the same key, and ends with one that brings another', () => {
  const before = new UsedKeys();
  expect(before.markBudget('main', paused)).toEqual(paused);
  before.budgetOf(account('canary-first'), undefined);
  const left = before.markBudget('main', paused);
  expect(left).toEqual({ ...paused, pausedKey: expect.stringMatching(/^[0-9a-f]{8}$/) });
  expect(new UsedKeys().budgetOf(account('canary-first'), left)).toEqual(paused);
  expect(new UsedKeys().budgetOf(account('canary-second'), left)).toEqual({ ...paused, pausedUntil: 1000 });
});

test('a pause ends with a reload that brings another key, but not the slower pace', () => {
  const keys = new UsedKeys();
  keys.follow(account('first')).readApiKey();
  expect(keys.budgetOf(account('second'), paused)).toEqual({ ...paused, pausedUntil: 1000 });
  expect(keys.budgetOf(account('second'), undefined)).toBeUndefined();
});
