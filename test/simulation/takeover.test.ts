import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { auditWriters } from '../e2e/writer-audit.ts';
import { readExposition } from '../support/exposition-reader.ts';
import { isLong, testSeeds } from '../support/seed.ts';
import { differences } from '../support/truth.ts';
import { createDriver } from '../world/driver.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';
import type { SimulatedDaemon } from './simulated-daemon.ts';
import { onStage, simulatedMinute } from './stage.ts';

const fewestTakeovers = isLong ? 200 : 20;
/** A standby looks at the lock every few hundred milliseconds, and opens the history then. */
const longestTakeoverMs = 10_000;
const env = { DBPM_STANDBY: 'true', DBPM_COLLECT_SCHEDULE: '*/30 * * * * *' };

it.each(testSeeds(isLong ? 4 : 1))(
  `has one of two daemons write, never both, over ${fewestTakeovers} takeovers (TEST_SEED=%i)`,
  seed =>
    onStage(
      { seed, service: { projects: 3, historyDays: 1 } },
      async ({ service, folder, random, startDaemon }) => {
        const chance = random('takeovers');
        const change = createDriver(service, random('changes'));
        const watch = new ScrapeWatch();
        let active = startDaemon({ env });
        await active.untilServing();
        const audit = auditWriters(join(folder, 'history.sqlite'));
        let standby = startDaemon({ env });
        const look = async (daemon: SimulatedDaemon) => {
          if (!daemon.isActive) return;
          const page = await daemon.readPage();
          if (page !== undefined && daemon.isActive) watch.note(page);
        };
        for (let takeovers = 0; takeovers < fewestTakeovers; takeovers += 1) {
          await standby.untilServing();
          await pause(chance.integer(1, 2 * simulatedMinute));
          await change();
          expect([active.isActive, standby.isActive]).toEqual([true, false]);
          await look(active);
          if (chance.chance(0.3)) active.dieBeforeStatement(chance.integer(1, 2000));
          else if (chance.chance(0.6)) await active.kill();
          else await active.stop();
          // One that is to die in the midst of a transaction lives until then.
          for (let waited = 0; !active.isOver && waited < 10 * simulatedMinute; waited += 1000)
            await pause(1000);
          await active.kill();
          const endedAt = Date.now();
          while (!standby.isActive && Date.now() - endedAt <= longestTakeoverMs) await pause(50);
          expect(standby.isActive, `takeover ${takeovers} within ten seconds`).toBe(true);
          await look(standby);
          active = standby;
          standby = startDaemon({ env });
        }
        service.freeze();
        await pause(60 * simulatedMinute);
        await look(active);
        for (const daemon of [active, standby]) {
          const samples = readExposition((await daemon.readPage()) ?? '');
          expect(differences(await service.truth(), samples, 60)).toEqual([]);
        }
        expect(watch.falls).toEqual([]);
        expect(audit.findSecondWriters()).toEqual([]);
        expect(audit.takeovers()).toBe(fewestTakeovers);
      },
    ),
);
