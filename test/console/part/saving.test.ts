import { expect, test } from 'vitest';
import { saySaving, showSavingWithHours } from '../../../src/console/part/saving.ts';

function say(likely: readonly [string, string], most: readonly [string, string], currency: string | null) {
  return saySaving(
    showSavingWithHours(
      {
        ...{ cost_per_month: likely[0], compute_hours_per_month: likely[1] },
        ...{ most_cost_per_month: most[0], most_compute_hours_per_month: most[1] },
      },
      currency,
    ),
  );
}

test('a saving in money and hours says once that it is likely', () => {
  expect(say(['116.61', '720.00'], ['116.61', '720.00'], 'USD')).toBe('likely $116.61 (720.0 hours)');
  expect(say(['50.00', '300.00'], ['116.61', '720.00'], 'USD')).toBe(
    'likely $50.00 (300.0 hours), at most $116.61 (720.0 hours)',
  );
  expect(say(['50.00', '300.00'], ['116.61', '720.00'], null)).toBe(
    'likely 300.0 hours, at most 720.0 hours',
  );
});
