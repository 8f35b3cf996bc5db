import { expect, test, vi } from 'vitest';
import { KnownReadings } from '../../../src/resources/usage/known-reading.ts';

test('each figure is read once, of any project and instant', () => {
  const read = vi.fn((project_ref: number, at: number) => project_ref * 1000 + at);
  const readings = new KnownReadings(read);
  const asked = [-3, 0, 1, 255, 256, 257, 100_000].flatMap(ref => [0, 5].map(at => [ref, at] as const));
  for (const _ of ['first', 'again'])
    expect(asked.map(([ref, at]) => readings.get(ref, at))).toEqual(
      asked.map(([ref, at]) => ref * 1000 + at),
    );
  expect(read.mock.calls).toEqual(asked);
});
