import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { onStage, simulatedMinute } from './stage.ts';

const dayMs = 1440 * simulatedMinute;
const scheduleMs = 10_000;

it('polls within one interval after every step of the host clock, and no counter is off', () =>
  onStage({ seed: 1, service: { projects: 3, historyDays: 1 } }, async ({ service, startDaemon }) => {
    const daemon = startDaemon({ env: { DBPM_COLLECT_SCHEDULE: '*/10 * * * * *' } });
    await daemon.untilServing();
    const scrape = async () => readExposition((await daemon.readPage()) ?? '');
    await pause(2 * simulatedMinute);
    for (const aheadMs of [-2 * simulatedMinute, -dayMs, dayMs, 31 * dayMs, 1096 * dayMs, 5]) {
      service.freeze();
      vi.setSystemTime(Date.now() + aheadMs);
      service.thaw();
      const asked = service.requestedAt.length;
      await pause(2 * scheduleMs);
      // The list of projects is asked for once an interval: neither every slot that was stepped over, nor none.
      const lists = service.requestedAt.length - asked;
      expect(lists).toBeGreaterThan(0);
      expect(lists).toBeLessThan(60);
      const readAt = sampleValue(await scrape(), 'dbpm_collector_last_success_timestamp_seconds', {
        collector: 'projects',
      });
      expect(Math.abs((readAt ?? 0) * 1000 - Date.now())).toBeLessThanOrEqual(2 * scheduleMs);
      await pause(2 * simulatedMinute);
      service.freeze();
      await pause(3 * simulatedMinute);
      expect(differences(await service.truth(), await scrape(), 1)).toEqual([]);
      service.thaw();
    }
  }));
