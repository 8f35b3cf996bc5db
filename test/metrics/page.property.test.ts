import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { listOpenMetricsProblems, seriesKey } from '../support/openmetrics-rules.ts';
import { publishPage } from '../support/page-text.ts';
import { runs } from '../support/seed.ts';
import { hostileUsage } from './hostile-usage.ts';
import { hostileViews } from './hostile-view.ts';

it('any view reads back from its page with the same labels and values, every series once', () => {
  fc.assert(
    fc.property(hostileViews, views => {
      const samples = readExposition(publishPage(catalog, views).text);
      expect(new Set(samples.map(seriesKey)).size).toBe(samples.length);
      for (const { account, projects } of views) {
        for (const { project_id, project_name = '', cpu_used_sec, endpoints, operations } of projects) {
          const labels = { account, project_id };
          expect(sampleValue(samples, 'dbpm_project_info', { ...labels, project_name })).toBe(1);
          expect(sampleValue(samples, 'dbpm_project_cpu_used_reported_seconds', labels)).toBe(cpu_used_sec);
          const action = operations?.ended[0]?.action ?? '';
          const failed = { ...labels, action, status: 'failed' };
          expect(sampleValue(samples, 'dbpm_operations_total', failed)).toBe(2);
          for (const { endpoint_id, host = '', current_state = '' } of endpoints) {
            const own = { ...labels, endpoint_id };
            expect(sampleValue(samples, 'dbpm_endpoint_info', { ...own, host })).toBe(1);
            expect(sampleValue(samples, 'dbpm_endpoint_state', { ...own, state: current_state })).toBe(1);
          }
        }
      }
    }),
    { numRuns: runs(15) },
  );
});

it('no view makes a page that breaks a rule of OpenMetrics or tears a family apart', () => {
  fc.assert(
    fc.property(hostileViews, hostileUsage, (views, usage) => {
      const { openmetrics } = publishPage(catalog, views, usage);
      expect(listOpenMetricsProblems(`${openmetrics}# EOF\n`)).toEqual([]);
    }),
    { numRuns: runs(15) },
  );
});

it('what is used and costs reads back from its page under the very names it has, every series once', () => {
  fc.assert(
    fc.property(hostileUsage, usage => {
      const samples = readExposition(publishPage(catalog, [], usage).text);
      expect(new Set(samples.map(seriesKey)).size).toBe(samples.length);
      for (const { account, computeSeconds, groups, projects, findings } of usage.accounts) {
        expect(sampleValue(samples, 'dbpm_account_period_compute_seconds', { account })).toBe(computeSeconds);
        for (const { grouping, group, ...used } of groups) {
          const labels = { account, grouping, group };
          expect(sampleValue(samples, 'dbpm_group_period_compute_seconds', labels)).toBe(used.computeSeconds);
        }
        for (const { project_id, currency = '', cost } of projects) {
          const labels = { account, project_id, currency };
          expect(sampleValue(samples, 'dbpm_project_period_cost', labels)).toBe(cost);
        }
        for (const { project_id, endpoint_id, kind, currency = '', costPerMonth } of findings ?? []) {
          const labels = { account, project_id, endpoint_id, finding: kind, currency };
          const { likely, most } = costPerMonth ?? {};
          expect(sampleValue(samples, 'dbpm_endpoint_finding_cost_per_month', labels)).toBe(likely);
          for (const [bound, cost] of [['likely', likely] as const, ['at_most', most] as const]) {
            const bounded = { ...labels, bound };
            expect(sampleValue(samples, 'dbpm_endpoint_finding_bound_cost_per_month', bounded)).toBe(cost);
          }
        }
      }
      for (const { budget, unit, limit } of usage.budgets) {
        expect(sampleValue(samples, 'dbpm_budget_limit', { budget, unit })).toBe(limit);
      }
    }),
    { numRuns: runs(15) },
  );
});
