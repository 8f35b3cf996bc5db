import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawChart } from '../../../src/console/part/chart/chart.ts';
import { showDecimal, showMoneyBriefly } from '../../../src/console/part/number.ts';

const day = { name: 'Mon 5 Oct', fromAt: 0, untilAt: 1 };
const ticksOf = (highest: number, showTick: (decimal: string) => string) => {
  const series = [{ kind: 'bars', name: 'any', values: [String(highest)] }] as const;
  const text = renderToString(
    drawChart({ id: 'any', label: 'any', steps: [day], series, showTick, stepNoun: 'day' }),
  );
  const [, axis = ''] = /class="values"[^>]*>(.*?)<\/svg>/.exec(text) ?? [];
  return [...axis.matchAll(/>([^<]+)</g)].map(([, tick]) => tick);
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
