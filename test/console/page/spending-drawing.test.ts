import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import type { OverviewAnswer } from '../../../src/console/page/overview/overview-answer.ts';
import { drawSpending } from '../../../src/console/page/overview/spending-drawing.ts';

const forecast = {
  ...{ expected: '40.00', low80: '35.00', high80: '46.00', low95: '31.00', high95: '52.00' },
  mean_error: null,
};

test('bars of several accounts have a table with their bounds', () => {
  const account = { cost: '12.00', cost_missing: null, compute_hours: '75.00' };
  const spending = {
    period: { from: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' },
    ...{ currency: 'EUR', cost: '24.00', compute_hours: '150.00', expected: null },
    accounts: [
      { account: 'main', ...account, forecast },
      { account: 'other', ...account, forecast: null },
    ],
    ...{ before: null, partial: false },
  };
  const answer: OverviewAnswer = {
    ...{ troubles: [], running: { projects: 0, endpoints: 0, states: [], active: [] } },
    ...{ spending, rests_on: null, as_of: null, saving: null, pending: [] },
  };
  const text = renderToString(drawSpending(answer));
  expect(text.match(/<svg/g)).toHaveLength(1);
  expect(text).toContain('<caption>Forecasts of the billing period by account</caption>');
  expect(text).toContain('<td class="number">€35.00 to €46.00</td><td class="number">€31.00 to €52.00</td>');
});
