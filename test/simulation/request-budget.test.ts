import { join } from 'node:path';
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

it('keeps three shards within the request limit of their account, of which they use nearly all', () =>
  onStage(
    {
      seed: 4,
      service: { projects: 120, historyDays: 0, aroundTheClock: true, rateLimitPerMinute: 300 },
    },
    async ({ service, folder, startDaemon }) => {
      const requestsPerMinute = 300;
      for (const shard of [0, 1, 2]) {
        startDaemon({
          env: {
            DBPM_SHARD: `${shard}/3`,
            DBPM_REQUESTS_PER_MINUTE: `${requestsPerMinute}`,
            DBPM_HISTORY_FILE: join(folder, `shard-${shard}.sqlite`),
            DBPM_COLLECT_IDLE_REFRESH: '20s',
          },
        });
      }
      await pause(2 * simulatedMinute);
      const before = service.requestedAt.length;
      const minutes = 3;
      await pause(minutes * simulatedMinute);
      const asked = service.requestedAt.length - before;
      expect([...service.answers.keys()]).toEqual([200]);
      expect(asked).toBeLessThanOrEqual(requestsPerMinute * minutes);
      expect(asked).toBeGreaterThan(0.85 * requestsPerMinute * minutes);
    },
  ));
