import { expect, test } from 'vitest';
import { bucketsOf, labelList, select } from '../../dashboards/promql.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';

test('a selector names a declared metric and declared labels', () => {
  expect(select(endpointFamilies.state, { state: 'active', project_id: { matches: '$project' } })).toBe(
    'dbpm_endpoint_state{state="active", project_id=~"$project"}',
  );
  expect(select(accountFamilies.up)).toBe('dbpm_up');
  expect(select(bucketsOf(selfFamilies.apiRequestDuration), { job: { not: 'a"b' } })).toBe(
    'dbpm_exporter_api_request_duration_seconds_bucket{job!="a\\"b"}',
  );
  expect(labelList('by', endpointFamilies.state, 'account', 'state', 'job')).toBe('by (account, state, job)');
});

test('a label the metric is not declared with does not compile', () => {
  // @ts-expect-error dbpm_up has no label "state"
  select(accountFamilies.up, { state: 'active' });
  // @ts-expect-error dbpm_up has no label "project_id"
  labelList('by', accountFamilies.up, 'project_id');
  expect(accountFamilies.up.labels).toEqual(['account']);
});
