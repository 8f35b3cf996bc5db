import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { stackedBars } from '../../../src/console/part/chart/stacked-bar.ts';
import { html } from '../../../src/console/part/html.ts';
import { showDecimal, showMoneyBriefly } from '../../../src/console/part/number.ts';

const ticksOf = (highest: number, showTick: (decimal: string) => string) => {
  const bars = [{ name: '', parts: [{ series: 1, value: highest, title: '' }] }];
  const text = renderToString(html`<div>${stackedBars({ label: 'any', bars, showTick })}</div>`);
  return [...text.matchAll(/text-anchor="end">([^<]+)</g)].map(([, tick]) => tick);
};
const money = (currency: string) => (decimal: string) => showMoneyBriefly(decimal, currency);

test('the scale of a chart of money has its currency', () => {
  expect(ticksOf(63, money('USD'))).toEqual(['$0', '$20', '$40', '$60', '$80']);
  expect(ticksOf(-1, money('EUR'))).toEqual(['-€1.0', '-€0.8', '-€0.6', '-€0.4', '-€0.2', '€0.0']);
});

test('a scale of little has the decimals that tell its lines apart', () => {
  expect(ticksOf(0.3, showDecimal)).toEqual(['0.0', '0.1', '0.2', '0.3']);
  expect(ticksOf(0.03, money('EUR'))).toEqual(['€0.00', '€0.01', '€0.02', '€0.03']);
});

test('a scale of much money is short', () => {
  expect(ticksOf(500_000, money('CHF'))).toEqual(
    ['CHF 0', 'CHF 100K', 'CHF 200K', 'CHF 300K', 'CHF 400K', 'CHF 500K'].map(each =>
      each.replace(' ', '\u00a0'),
    ),
  );
  expect(ticksOf(1_200_000, money('USD'))).toEqual(['$0', '$500K', '$1M', '$1.5M']);
});
