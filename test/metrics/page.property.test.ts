import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { listOpenMetricsProblems, seriesKey } from '../support/openmetrics-rules.ts';
import { publishPage } from '../support/page-text.ts';
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
    { numRuns: 60 },
  );
});

it('no view makes a page that breaks a rule of OpenMetrics or tears a family apart', () => {
  fc.assert(
    fc.property(hostileViews, views => {
      expect(listOpenMetricsProblems(`${publishPage(catalog, views).openmetrics}# EOF\n`)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
