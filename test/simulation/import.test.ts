import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { recordOperation } from '../../src/simulator/model/operation.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { isLong, testSeeds } from '../support/seed.ts';
import { differences } from '../support/truth.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';
import { onStage, simulatedMinute } from './stage.ts';
import type { VirtualService } from './virtual-service.ts';

const operationsPerProject = 3000;
/** This number shares a second, and therefore a `created_at`: ties across page borders are common on live services. */
const operationsPerSecond = 40;
const fewestKills = 12;

it.each(testSeeds(isLong ? 10 : 1))(
  'a first import of many pages that is killed again and again counts every operation once (TEST_SEED=%i)',
  seed =>
    onStage({ seed, service: { projects: 0, historyDays: 0 } }, async ({ service, random, startDaemon }) => {
      for (const name of ['first', 'second', 'third']) await service.call('POST', '/projects', { name });
      addOperations(service);
      service.freeze();
      // Slow enough that the kills fall into the import, and not behind it.
      await service.call('POST', '/faults', { match: 'GET /projects/*/operations', delay_ms: 4000 });
      const watch = new ScrapeWatch();
      const deaths = random('deaths');
      const look = async (daemon: ReturnType<typeof startDaemon>) => {
        const page = await daemon.readPage();
        if (page !== undefined) watch.note(page);
        return sampleValue(watch.latest, 'dbpm_account_import_projects_left');
      };
      for (let kills = 0; kills < fewestKills; kills += 1) {
        const daemon = startDaemon();
        await daemon.untilServing();
        if (deaths.chance(0.5)) daemon.dieBeforeStatement(deaths.integer(1, 20_000));
        await pause(deaths.integer(1000, 10_000));
        if (!daemon.isOver) expect(await look(daemon), 'it is still importing').not.toBe(0);
        await daemon.kill();
      }
      const daemon = startDaemon();
      await daemon.untilServing();
      for (let minutes = 0; minutes < 60 && (await look(daemon)) !== 0; minutes += 1)
        await pause(simulatedMinute);
      const samples = readExposition((await daemon.readPage()) ?? '');
      expect(differences(await service.truth(), samples, 0)).toEqual([]);
      expect(watch.falls).toEqual([]);
      const operations = samples.filter(({ name }) => name === 'dbpm_operations_total');
      expect(operations.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(3 * operationsPerProject);
    }),
);

function addOperations(service: VirtualService): void {
  for (let added = 0; added < operationsPerProject; added += 1) {
    if (added % operationsPerSecond === 0) service.advance(1);
    for (const project of service.account.projects.values()) {
      recordOperation(project, {
        action: 'apply_config',
        branchId: project.branches[0]?.id ?? '',
        status: added % 10 === 0 ? 'failed' : 'finished',
        runsAt: Number.POSITIVE_INFINITY,
        failuresCount: added % 7 === 0 ? 2 : 0,
      });
    }
  }
}
