import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../src/simulator/model/random.ts';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { isLong, testSeed } from '../support/seed.ts';
import { KilledDaemon } from '../world/killed-daemon.ts';
import { readPage } from '../world/scrape-watch.ts';
import { pricesOfTruth, runAgainstTruth } from '../world/truth-run.ts';
import { type SimulatedWorld, startWorld, worldKey } from './simulated-world.ts';

const seed = testSeed(20261121);
const fewestKills = isLong ? 100 : 10;

test(`all counters equal the truth and none ever fell, over ${fewestKills} kills of the process (TEST_SEED=${seed})`, async () => {
  const world = await startWorld({ seed, projects: 12, historyDays: 3 });
  onTestFinished(() => world.close());
  const config = join(world.folder, 'prices.yaml');
  writeFileSync(config, pricesOfTruth);
  const env = {
    NODE_COMPILE_CACHE: join(world.folder, 'compile-cache'),
    DBPM_CONFIG_FILE: config,
    DBPM_USAGE_REFRESH: '1s',
  };
  await fillCompileCache(world, env);
  const start = () => {
    const daemon = world.startDaemon(env);
    let url: string | undefined;
    return {
      daemon,
      async untilServing() {
        url = await daemon.untilServing();
      },
      readPage: async () => url && (await readPage(url)),
      async kill() {
        const { signal } = await daemon.stop('SIGKILL');
        if (signal !== 'SIGKILL') throw new Error(`the daemon ended by itself:\n${daemon.stderr()}`);
      },
    };
  };
  const killed = new KilledDaemon(
    start,
    // Some die while they start, most soon after they began to serve and to read, some only when they have read all.
    random => {
      const fate = random.fraction();
      return {
        servesFirst: fate >= 0.3,
        lifeMs: random.integer(50, fate < 0.3 ? 500 : fate < 0.85 ? 450 : 1500),
      };
    },
    createRandom(seed, 'kills'),
  );
  const { last, summary } = await runAgainstTruth({
    world,
    daemon: killed,
    random: createRandom(seed, 'truth test'),
    fewestKills,
    countListPolls: watch => watch.listPolls,
    times: { betweenScrapes: 40, longestBetweenChanges: 200, longestUntilTrue: 150_000 },
  });
  process.stdout.write(`truth test: ${summary}\n`);
  expect(await last.daemon.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(checkIntegrity(join(world.folder, 'history.sqlite'))).toBe('ok');
}, 900_000);

test('a second daemon on the same history is refused with one sentence', async () => {
  const world = await startWorld({ seed: 1, projects: 1, historyDays: 0 });
  onTestFinished(() => world.close());
  await world.startDaemon().untilServing();
  const second = world.startDaemon();
  expect(await second.exited).toEqual({ code: 1, signal: null });
  const file = join(world.folder, 'history.sqlite');
  expect(second.stderr()).toBe(
    `dbpm-exporter: ${file} is in use by another dbpm-exporter: stop that one, or give this one a history file of its own\n`,
  );
});

/** A killed process never writes what it compiled, so one that may end in peace does it for all. */
async function fillCompileCache(world: SimulatedWorld, env: Readonly<Record<string, string>>): Promise<void> {
  const historyFile = join(world.folder, 'unused.sqlite');
  const daemon = startDaemonProcess({ base_url: world.base_url, apiKey: worldKey, historyFile, env });
  await daemon.untilServing();
  await daemon.stop('SIGTERM');
}

function checkIntegrity(file: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}
