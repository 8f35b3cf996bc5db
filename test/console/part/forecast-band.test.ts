import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawBudgets } from '../../../src/console/page/cost/budget-drawing.ts';
import { forecastTable } from '../../../src/console/part/forecast-table.ts';
import { html } from '../../../src/console/part/html.ts';
import { expectedTile } from '../../../src/console/part/tile.ts';

const period = { from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' };

function draw(part: unknown): string {
  return renderToString(html`<div>${part}</div>`)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** What a budget of the overview, its tile and a table say of a forecast. */
function sayForecast(low: string, high: string) {
  const bounds = { low80: low, high80: high, low95: low, high95: high };
  const expected = { unit: 'USD', spent: '12.00', limit: '15.00', projected: '20.00', bounds, period };
  const budget = {
    ...{ ...expected, is_of_all: true, budget: 'small', scope: 'account main', used_ratio: 0.8 },
    ...{ exhausted_at: null, days: [], by_day: null },
  };
  const tile = { until: period.until, spent: '12.00', expected: '20.00', currency: 'USD', bounds };
  return {
    budget: draw(drawBudgets({ budgets: [budget], past_budgets: null, as_of: '2026-11-20T00:00:00Z' }, '')),
    tile: expectedTile({ ...tile, accounts: 1 }).detail,
    table: draw(
      forecastTable('', [{ what: 'cost', unit: 'USD', so_far: '12.00', expected: '20.00', bounds }]),
    ),
  };
}

test('a forecast that may come out otherwise has its band', () => {
  const { budget, tile, table } = sayForecast('18.00', '25.00');
  expect(budget).toContain('$20.00 expected, 4 periods in 5 from $18.00 to $25.00.');
  expect(tile).toBe('4 periods in 5 from $18.00 to $25.00');
  expect(table).toContain('$12.00 $20.00 $18.00 to $25.00 $18.00 to $25.00');
});

test('a forecast that can only come out one way is one amount', () => {
  const { budget, tile, table } = sayForecast('20.00', '20.00');
  expect(budget).toContain('$20.00 expected.');
  expect(tile).toBeUndefined();
  expect(table).toContain('$12.00 $20.00 $20.00 $20.00');
});
