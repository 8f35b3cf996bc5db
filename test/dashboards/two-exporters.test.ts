import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithPeers } from '../support/peer.ts';
import { askPromtool } from './promql-answer.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Queries that join, as documents show them; one that shows the join alone is given something to be joined. */
const queries = [
  ...[...read('dashboards/README.md').matchAll(/```promql\n([\s\S]*?)```/g)].map(([, query = '']) => query),
  ...[...read('docs/metrics.md').matchAll(/`(\* on [^`]*)`/g)].map(
    ([, join]) => `dbpm_project_cpu_used_seconds_total ${join}`,
  ),
].filter(query => query.includes('group_left'));

/** Two exporters that watch one account, each with one project and one key. */
const series = ['old:10062', 'new:10062'].flatMap(instance => {
  const target = `job="dbpm", instance="${instance}", account="main"`;
  return [
    [`dbpm_project_info{${target}, project_id="p1", project_name="shop"}`, '1x60'],
    [`dbpm_project_cpu_used_seconds_total{${target}, project_id="p1"}`, '0+60x60'],
    [`dbpm_api_key_info{${target}, key_id="7", key_name="ci"}`, '1x60'],
    [`dbpm_api_key_idle_since_timestamp_seconds{${target}, key_id="7"}`, '0x60'],
  ] as const;
});

describeWithPeers(['promtool'], 'with two exporters on one account', ({ promtool }) => {
  test('the documents have queries that join', () => {
    expect(queries).toHaveLength(3);
  });

  test.each(queries)('each is answered by %s', query => {
    expect(askPromtool(promtool, series, `count(${query})`, 2)).toBe('');
  });
});
