import { expect, test } from 'vitest';
import { parseQuery } from './promql-reader.ts';

test('selectors come with their matchers, their range and the function it is handed to', () => {
  const { valid, selectors, groupedLabels } = parseQuery(
    'sum by (a, b) (rate(x_total{job=~"$job", c!="d"}[$__rate_interval])) / on (a) group_left (n) y',
  );
  expect(valid).toBe(true);
  expect(selectors).toEqual([
    {
      metric: 'x_total',
      matchers: { job: { operator: '=~', value: '$job' }, c: { operator: '!=', value: 'd' } },
      range: '$__rate_interval',
      rangeFunction: 'rate',
    },
    { metric: 'y', matchers: {} },
  ]);
  expect(groupedLabels).toEqual(['a', 'b', 'a', 'n']);
});

test('a query that is cut short is not valid', () => {
  expect(parseQuery('sum by (a) (rate(x_total[5m])').valid).toBe(false);
});
