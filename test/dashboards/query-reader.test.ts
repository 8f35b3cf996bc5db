import { expect, test } from 'vitest';
import { findQueryMistakes } from './query-reader.ts';

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
  expect(findQueryMistakes('dbpm_up ==')).not.toEqual([]);
});
