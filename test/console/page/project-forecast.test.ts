import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawProjectForecast } from '../../../src/console/page/project/forecast.ts';
import { html } from '../../../src/console/part/html.ts';

function draw(low80: string, high80: string) {
  const bounds = { low80, high80, low95: low80, high95: high80 };
  const hours = { what: 'compute_hours', unit: 'hours', so_far: '600.00', expected: '744.00', bounds };
  const forecast = { pending: false, quantities: [hours], notes: [] };
  return renderToString(html`<div>${drawProjectForecast(forecast)}</div>`).replaceAll(/<[^>]*>/g, '');
}

test('the band of a forecast is told where the period may come out otherwise', () => {
  expect(draw('730.00', '744.00')).toContain('four periods in five come out from 730.0 to 744.0');
  expect(draw('744.00', '744.00')).toContain('744.0 compute hours expected at its end.');
});
