import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { seriesModes } from '../../src/resources/series/family-selection.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type RecordedSeries, recordFleet } from './drill-recording.ts';

const ruleFile = new URL('../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
const stepSeconds = 30;
const steps = 121;

/** What the fleet deserves, each for a reason that was put into it on purpose. */
const deserved: readonly Readonly<Record<string, string>>[] = [
  // Made long ago, and used from wherever its jobs happen to run.
  { alertname: 'DbpmApiKeySourceAddressChanged', key_name: 'ci-pipeline' },
  { alertname: 'DbpmApiKeyTooOld', key_name: 'terraform' },
  { alertname: 'DbpmApiKeyTooOld', key_name: 'laptop of a former colleague' },
  // Last used 131, 90 and 58 days ago.
  { alertname: 'DbpmApiKeyUnused', key_name: 'laptop of a former colleague' },
  { alertname: 'DbpmApiKeyUnused', key_name: 'migration 2 (temporary)' },
  { alertname: 'DbpmApiKeyUnused', key_name: 'old-staging' },
  { alertname: 'DbpmApiKeyNeverUsed', key_name: 'backup-script' },
  { alertname: 'DbpmApiKeyNeverUsed', key_name: 'just in case' },
  // One in a hundred checks and one in fifty changed configurations fail.
  { alertname: 'DbpmOperationFailed', project_name: 'shipping-sandbox' },
  // Every sixteenth project has an operation that hangs since the day before.
  { alertname: 'DbpmOperationStuck', project_name: 'notifications-prod' },
  { alertname: 'DbpmOperationStuck', project_name: 'search-db' },
  { alertname: 'DbpmOperationUnusuallyLong', project_name: 'notifications-prod' },
];

describeWithPeers(['promtool'], 'one busy hour of the fleet of the demo', ({ promtool }) => {
  test.each(seriesModes)(
    'raises no alert but those the fleet deserves, %s',
    async mode => {
      const folder = mkdtempSync(join(tmpdir(), 'dbpm-hour-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const series = await recordFleet({
        mode,
        projects: 20,
        seed: 1,
        historyDays: 30,
        startAt: Date.parse('2026-03-03T10:00:00Z'),
        steps,
        stepSeconds,
      });
      expect(series.filter(({ name }) => name === 'dbpm_project_info').length).toBeGreaterThanOrEqual(20);
      expect(series.filter(({ name }) => name === 'dbpm_budget_projected_ratio')).toHaveLength(3);
      const file = join(folder, 'hour.test.yml');
      writeFileSync(file, renderRuleTest(series));
      await promisify(execFile)(promtool, ['test', 'rules', file]);
    },
    120_000,
  );
});

/** JSON is YAML. The rules run over the whole hour; asked at its end is what fired at any moment of it. */
function renderRuleTest(series: readonly RecordedSeries[]): string {
  const hour = `${((steps - 1) * stepSeconds) / 60}m`;
  return JSON.stringify({
    rule_files: [ruleFile],
    evaluation_interval: `${stepSeconds}s`,
    tests: [
      {
        interval: `${stepSeconds}s`,
        input_series: series.map(one => ({
          series: renderLabels(one.name, { job: 'dbpm', instance: 'demo', ...one.labels }),
          values: renderValues(one.values),
        })),
        promql_expr_test: [
          {
            expr: `group by (alertname, project_name, key_name) (last_over_time(ALERTS{alertstate="firing"}[2h]))`,
            eval_time: hour,
            exp_samples: deserved.map(labels => ({ labels: renderLabels('', labels), value: 1 })),
          },
        ],
      },
    ],
  });
}

function renderLabels(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(', ')}}`;
}

/** In promtool's notation; a series that goes away is `stale` at once, as after a real scrape. */
function renderValues(values: readonly (number | undefined)[]): string {
  const written = Array.from({ length: steps }, (_, step) => {
    const value = values[step];
    if (value !== undefined) return String(value).replace('Infinity', 'Inf');
    return step > 0 && values[step - 1] !== undefined ? 'stale' : '_';
  });
  return written.join(' ');
}
