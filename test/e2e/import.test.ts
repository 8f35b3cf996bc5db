import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordOperation } from '../../src/simulator/model/operation.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import type { Simulator } from '../../src/simulator/server.ts';
import { differences } from '../support/truth.ts';
import { KilledDaemon } from './killed-daemon.ts';
import { ScrapeWatch } from './scrape-watch.ts';
import { startWorld } from './simulated-world.ts';

const fewestKills = 12;
const operationsPerProject = 6000;
/** So many share a second, and therefore a `created_at`: ties across page borders are common on live services. */
const operationsPerSecond = 40;

test('a first import of many pages that is killed again and again counts every operation once', async () => {
  const world = await startWorld({ projects: 0, historyDays: 0 });
  onTestFinished(() => world.close());
  for (const name of ['first', 'second', 'third']) await world.call('POST', '/projects', { name });
  addOperations(world.simulator);
  world.freeze();
  // Slow enough that the kills fall into the import, and not behind it.
  await world.call('POST', '/faults', { match: 'GET /projects/*/operations', delay_ms: 120 });

  const watch = new ScrapeWatch();
  const daemon = new KilledDaemon(() => world.startDaemon(), createRandom(1, 'import'));
  const ending = new AbortController();
  const killing = daemon.run(ending.signal);
  const watchKills = async () => {
    while (daemon.kills < fewestKills) {
      if (daemon.url !== undefined) await watch.scrape(daemon.url);
      await pause(50);
    }
  };
  try {
    await Promise.race([watchKills(), killing]);
  } finally {
    ending.abort();
    await Promise.allSettled([killing]);
  }
  const url = await (await killing).untilServing();
  await vi.waitFor(
    async () => {
      await watch.scrape(url);
      expect(differences(await world.truth(), watch.latest, 0)).toEqual([]);
    },
    { timeout: 60_000, interval: 250 },
  );
  expect(watch.falls).toEqual([]);
  const operations = watch.latest.filter(({ name }) => name === 'dbpm_operations_total');
  expect(operations.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(3 * operationsPerProject);
}, 180_000);

function addOperations({ account, advance }: Simulator): void {
  for (let added = 0; added < operationsPerProject; added += 1) {
    if (added % operationsPerSecond === 0) advance(1);
    for (const project of account.projects.values()) {
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
