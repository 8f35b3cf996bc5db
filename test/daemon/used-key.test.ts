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

test('a pause ends with a reload that brings another key, but not the slower pace', () => {
  const keys = new UsedKeys();
  keys.follow(account('first')).readApiKey();
  expect(keys.budgetOf(account('second'), paused)).toEqual({ ...paused, pausedUntil: 1000 });
  expect(keys.budgetOf(account('second'), undefined)).toBeUndefined();
});
