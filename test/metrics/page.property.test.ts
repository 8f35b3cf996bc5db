import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderPage } from '../../src/metrics/page.ts';
import type { WholeAccountView } from '../../src/resources/account.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { listOpenMetricsProblems, seriesKey } from '../support/openmetrics-rules.ts';
import { sampleEndpoint, sampleProject, sampleView } from '../support/sample-view.ts';

/** What live services have been seen to put into strings, and what could break a line of an exposition. */
const hostileText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '\r', '\u2028', '{', '}', ',', '=', '#', ' ', '🐘', '\0', 'a'), {
      maxLength: 12,
    })
    .map(parts => parts.join('')),
  fc.constantFrom('"} 1\ndbpm_up 2', '\\', '\\"', '# EOF', '__proto__', 'x'.repeat(10_000)),
);
const quantity = fc.double({ min: 0, max: 1e15, noNaN: true });

const endpoint = fc.record({
  endpoint_id: hostileText,
  host: hostileText,
  current_state: hostileText,
  last_active: quantity,
});
const project = fc.record({
  project_id: hostileText,
  project_name: hostileText,
  cpu_used_sec: quantity,
  action: hostileText,
  endpoints: fc.uniqueArray(endpoint, { selector: ({ endpoint_id }) => endpoint_id, maxLength: 3 }),
});
const account = fc.record({
  account: hostileText,
  projects: fc.uniqueArray(project, { selector: ({ project_id }) => project_id, maxLength: 3 }),
});
const hostileViews = fc
  .uniqueArray(account, { selector: found => found.account, minLength: 1, maxLength: 3 })
  .map(accounts => accounts.map(asView));

type Hostile = typeof account extends fc.Arbitrary<infer Value> ? Value : never;

function asView({ account, projects }: Hostile): WholeAccountView {
  return {
    ...sampleView,
    account,
    api_keys: [],
    projects: projects.map(({ action, endpoints, ...fields }) => ({
      ...sampleProject,
      ...fields,
      account,
      endpoints: endpoints.map(each => ({
        ...sampleEndpoint,
        ...each,
        account,
        project_id: fields.project_id,
      })),
      operations: {
        ended: [{ action, status: 'failed', count: 2, lastEndedAt: 1000 }],
        attemptFailures: [{ action, count: 3 }],
        inProgress: [],
      },
    })),
  };
}

it('any view reads back from its page with the same labels and values, every series once', () => {
  fc.assert(
    fc.property(hostileViews, views => {
      const samples = readExposition(renderPage(catalog, views).text);
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
      expect(listOpenMetricsProblems(`${renderPage(catalog, views).openmetrics}# EOF\n`)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
