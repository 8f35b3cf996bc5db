import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onStage, simulatedMinute } from './stage.ts';

it('asks no more than its budget while it is killed again and again, with one burst in all and what was under way', () =>
  onStage(
    { seed: 3, longestWayMs: 2, service: { projects: 120, historyDays: 0 } },
    async ({ service, random, startDaemon }) => {
      const requestsPerMinute = 200;
      /** What such a budget allows at once. */
      const burst = 10;
      /** Of what was under way when it died, nothing is written: a request of each poll of a project, at most. */
      const pollsAtOnce = 4;
      const lives = 20;
      const env = { DBPM_REQUESTS_PER_MINUTE: String(requestsPerMinute) };
      const deaths = random('deaths');
      const startedAt = Date.now();
      let before = 0;
      for (let start = 0; start < lives; start += 1) {
        const daemon = startDaemon({ env });
        await daemon.untilServing();
        await pause(deaths.integer(500, 4000));
        await daemon.kill();
        expect(service.requestedAt.length, `requests of life ${start}`).toBeGreaterThan(before);
        before = service.requestedAt.length;
      }
      const minutes = (Date.now() - startedAt) / simulatedMinute;
      expect(service.requestedAt.length).toBeGreaterThan(burst);
      expect(service.requestedAt.length).toBeLessThanOrEqual(
        burst + requestsPerMinute * minutes + lives * pollsAtOnce,
      );
    },
  ));
