import { expect, test } from 'vitest';
import { findQueryMistakes, readQuery } from './query-reader.ts';

test.each([
  ['dbpm_up == 0', []],
  ['dbpm_upp == 0', ['there is no metric dbpm_upp']],
  ['dbpm_up{state="idle"}', ['dbpm_up has no label state']],
  ['sum by (state) (dbpm_up)', ['no metric of the query has the label state']],
  ['dbpm_operations_total > 0', ['dbpm_operations_total without rate']],
  ['abs(dbpm_operation_duration_seconds_count)', ['dbpm_operation_duration_seconds_count without rate']],
  ['max(rate(dbpm_operations_total{instance="x"}[5m]))', []],
  ['dbpm_operation_duration_seconds', ['there is no metric dbpm_operation_duration_seconds']],
])('%s', (query, mistakes) => expect(findQueryMistakes(query)).toEqual(mistakes));

test('what does not parse is a mistake', () => {
  expect(findQueryMistakes('max by (account) (rate(dbpm_operations_total[5m])')).not.toEqual([]);
  expect(findQueryMistakes('dbpm_up ==')).not.toEqual([]);
});

test('selectors come with their matchers, their range and the function it is handed to', () => {
  const { mistakes, selectors, groupedLabels } = readQuery(
    'sum by (a, b) (rate(x_total{job=~"$job", c!="d"}[$__rate_interval])) / on (a) group_left (n) y',
  );
  expect(mistakes).toEqual([]);
  expect(selectors).toEqual([
    {
      name: 'x_total',
      labels: ['job', 'c'],
      matchers: { job: { operator: '=~', value: '$job' }, c: { operator: '!=', value: 'd' } },
      range: '$__rate_interval',
      rangeFunction: 'rate',
    },
    { name: 'y', labels: [], matchers: {} },
  ]);
  expect(groupedLabels).toEqual(['a', 'b', 'a', 'n']);
});
