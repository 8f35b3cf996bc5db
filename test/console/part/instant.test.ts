import { expect, test } from 'vitest';
import { showAge } from '../../../src/console/part/instant.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test('a length of time leaves out seconds from ten minutes on, and hours from ten days on', () => {
  const lengths = [
    ...[0, 12 * second, 9 * minute + 59 * second, 10 * minute + 59 * second, hour],
    ...[23 * hour + 5 * minute, 9 * day + 23 * hour, 10 * day + 23 * hour],
  ];
  expect(lengths.map(showAge)).toEqual([
    ...['0 s', '12 s', '9 min 59 s', '10 min', '1 h'],
    ...['23 h 5 min', '9 d 23 h', '10 d'],
  ]);
});
