import { describe, it } from 'vitest';
import { type Sample, sampleValue } from '../support/exposition-reader.ts';
import { accountOf, openDaemon, openService, projectIds, untilTrue } from './open-daemon.ts';

const requestsPerMinute = 60_000;
const times = 1000;
const refreshed = (samples: readonly Sample[], project_id: string) =>
  sampleValue(samples, 'dbpm_project_last_refresh_timestamp_seconds', { project_id }) ?? Number.NaN;

describe.concurrent('a project the service asks to leave alone', () => {
  it.for([
    [423, 'locked'],
    [503, 'unavailable'],
  ] as const)(
    'with %i is left alone, and nothing else of the account is',
    async ([status, reason], { expect, onTestFinished }) => {
      const service = await openService(onTestFinished, { projects: 3 });
      const daemon = await openDaemon(onTestFinished, [accountOf(service, { requestsPerMinute })]);
      const before = await untilTrue(daemon, service);
      const [slow = '', ...others] = projectIds(before);
      const match = `GET /projects/${slow}/*`;
      await service.fault({ match, status, headers: { 'retry-after': '600' }, times });
      const failing = await daemon.until(samples => {
        for (const collector of ['endpoints', 'operations']) {
          expect(sampleValue(samples, 'dbpm_collector_errors_total', { collector, reason })).toBeGreaterThan(
            0,
          );
        }
      });
      const after = await daemon.until(samples => {
        for (const id of others) expect(refreshed(samples, id)).toBeGreaterThan(refreshed(failing, id) + 3);
      });
      expect(sampleValue(after, 'dbpm_exporter_request_budget_per_minute')).toBe(requestsPerMinute);
      expect(sampleValue(after, 'dbpm_up')).toBe(1);
      expect(refreshed(after, slow)).toBe(refreshed(failing, slow));
      expect(projectIds(after)).toEqual(projectIds(before));
      // Its endpoints and its operations were asked for once each.
      const { faults } = await service.control<{ faults: { times: number }[] }>('GET', '/faults');
      expect(faults.map(fault => times - fault.times)).toEqual([2]);
    },
  );
});
