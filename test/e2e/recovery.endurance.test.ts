import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { examineHistory } from '../../src/history/soundness/examination.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { startProgram } from '../support/daemon-process.ts';
import { readSamples } from '../support/exposition-reader.ts';
import { describeWithPeers } from '../support/peer.ts';
import { differences } from '../support/truth.ts';
import { createDriver } from '../world/driver.ts';
import { ScrapeWatch } from '../world/scrape-watch.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

vi.setConfig({ testTimeout: 180_000 });

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const stateToleranceSeconds = 60;

/** A world, a daemon whose history is copied, and what Prometheus saw. */
interface Stage {
  readonly world: SimulatedWorld;
  readonly historyFile: string;
  readonly watch: ScrapeWatch;
  /** Has things happen, and scrapes in between. */
  live(url: string, changes: number): Promise<void>;
}

async function openStage(): Promise<Stage> {
  const world = await startWorld({ projects: 4, historyDays: 2 });
  onTestFinished(() => world.close());
  const watch = new ScrapeWatch();
  const change = createDriver(world, createRandom('recovery'));
  return {
    world,
    watch,
    historyFile: join(world.folder, 'history.sqlite'),
    async live(url, changes) {
      for (let done = 0; done < changes; done += 1) {
        await change();
        await pause(300);
        await watch.scrape(url);
      }
    },
  };
}

/** Until a daemon shows all that ever happened. */
async function untilTrue({ world, watch }: Stage, url: string): Promise<void> {
  world.freeze();
  await vi.waitFor(
    async () => {
      await watch.scrape(url);
      const page = await readSamples(url);
      expect(differences(await world.truth(), page, stateToleranceSeconds)).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
  world.thaw();
}

/** Starts a daemon on a restored copy, which is scraped from its first moment on, until it shows all. */
async function goOn(stage: Stage, restored: string): Promise<string> {
  const daemon = stage.world.startDaemon({ DBPM_HISTORY_FILE: restored });
  const url = await daemon.untilServing();
  await stage.watch.scrape(url);
  await untilTrue(stage, url);
  await daemon.untilWritten('stderr', /msg="all of the copy was read again"/);
  await stage.live(url, 3);
  await untilTrue(stage, url);
  expect(stage.watch.falls).toEqual([]);
  return daemon.stderr();
}

async function run(...args: readonly string[]): Promise<void> {
  const program = startProgram(args);
  expect(await program.exited, program.stderr()).toEqual({ code: 0, signal: null });
}

test('after the loss of a disk a daemon goes on from a backup elsewhere, and no counter falls or counts twice', async () => {
  const stage = await openStage();
  const daemon = stage.world.startDaemon();
  const url = await daemon.untilServing();
  await untilTrue(stage, url);
  await stage.live(url, 5);
  const backup = join(stage.world.folder, 'backup.sqlite');
  await run('backup', '--history.file', stage.historyFile, '--to', backup);
  // The backup knows nothing of the time from here on.
  await stage.live(url, 10);
  await untilTrue(stage, url);
  await daemon.stop('SIGKILL');
  await stage.live(url, 3);
  expect(await goOn(stage, backup)).toContain(
    'msg="the history is a copy: counters are shown as soon as they were read again"',
  );
});

interface Copying {
  readonly name: string;
  /** Whether all of it is of one moment. */
  readonly isWhole: boolean;
  /** Reads what is read first, and answers what makes the copy after things have happened. */
  readonly begin: (from: string, to: string) => () => void;
}

/** Copies that somebody makes while a daemon writes. */
const copyings: readonly Copying[] = [
  { name: 'the file alone', isWhole: true, begin: (from, to) => () => copyFileSync(from, to) },
  {
    name: 'the file, and its log after that began anew',
    isWhole: false,
    begin(from, to) {
      copyFileSync(from, to);
      return () => copyFileSync(`${from}-wal`, `${to}-wal`);
    },
  },
  {
    name: 'the first pages, and the others later',
    isWhole: false,
    begin(from, to) {
      const first = readFileSync(from).subarray(0, 20 * 4096);
      return () => writeFileSync(to, Buffer.concat([first, readFileSync(from).subarray(first.length)]));
    },
  },
];

/** Moves the log of a history into its file, as the daemon does now and then. */
function checkpoint(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

test('a copy of the file goes on, and no counter falls; where one is torn it is set aside, and another history is begun', async () => {
  const stage = await openStage();
  const daemon = stage.world.startDaemon();
  const url = await daemon.untilServing();
  await untilTrue(stage, url);
  await stage.live(url, 10);
  checkpoint(stage.historyFile);
  const copies: (Copying & { readonly file: string })[] = [];
  for (const copying of copyings) {
    const folder = join(stage.world.folder, copying.name);
    mkdirSync(folder);
    const file = join(folder, 'dbpm.sqlite');
    copies.push({ ...copying, file });
    const end = copying.begin(stage.historyFile, file);
    await stage.live(url, 4);
    checkpoint(stage.historyFile);
    await stage.live(url, 4);
    end();
  }
  await untilTrue(stage, url);
  await daemon.stop('SIGKILL');
  const torn: string[] = [];
  for (const { name, file, isWhole } of copies) {
    // Not every one that can be torn is.
    const isTorn = examineHistory(file).flaws.length > 0;
    if (isTorn) torn.push(name);
    const next = stage.world.startDaemon({ DBPM_HISTORY_FILE: file });
    const nextUrl = await next.untilServing();
    if (isWhole) {
      await untilTrue(stage, nextUrl);
      expect(stage.watch.falls).toEqual([]);
    }
    await next.untilWritten(
      'stderr',
      isTorn
        ? /msg="the history was damaged and set aside, and all counters began anew, as there is no backup;/
        : /msg="all of the copy was read again"/,
    );
    await next.stop('SIGTERM');
    expect(examineHistory(file).flaws).toEqual([]);
  }
  expect(torn.length).toBeGreaterThan(0);
  expect(torn).not.toContain(copyings[0]?.name);
});

describeWithPeers(['sqlite3'], 'a copy that the program sqlite3 makes', ({ sqlite3 }) => {
  test('goes on, and no counter falls', async () => {
    const stage = await openStage();
    const daemon = stage.world.startDaemon();
    const url = await daemon.untilServing();
    await untilTrue(stage, url);
    const copy = join(stage.world.folder, 'copy.sqlite');
    execFileSync(sqlite3, [stage.historyFile, `.backup '${copy}'`]);
    await stage.live(url, 5);
    await untilTrue(stage, url);
    await daemon.stop('SIGKILL');
    expect(await goOn(stage, copy)).toContain('msg="the history is a copy');
  });
});

describeWithPeers(['litestream'], 'a copy elsewhere', ({ litestream }) => {
  test('Litestream replicates the history of a running daemon, and what it restores goes on, and no counter falls', async () => {
    const stage = await openStage();
    const { folder } = stage.world;
    const daemon = stage.world.startDaemon();
    const url = await daemon.untilServing();
    await untilTrue(stage, url);
    const config = join(folder, 'litestream.yml');
    writeFileSync(config, localConfig(stage.historyFile, join(folder, 'replica')));
    const replication = spawn(litestream, ['replicate', '-config', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void replication.kill('SIGKILL'));
    let said = '';
    for (const stream of [replication.stdout, replication.stderr]) stream.on('data', text => (said += text));
    await stage.live(url, 15);
    await pause(3000);
    replication.kill('SIGKILL');
    await once(replication, 'exit');
    await stage.live(url, 10);
    await untilTrue(stage, url);
    // The daemon goes on beside it, and neither complains.
    expect(daemon.stderr()).not.toMatch(/level=(warn|error)/);
    expect(said).not.toMatch(/level=(ERROR|WARN)/);
    await daemon.stop('SIGKILL');
    mkdirSync(join(folder, 'elsewhere'));
    const restored = join(folder, 'elsewhere', 'dbpm.sqlite');
    const restore = spawn(litestream, ['restore', '-config', config, '-o', restored, stage.historyFile]);
    expect(await once(restore, 'exit')).toEqual([0, null]);
    expect(examineHistory(restored).flaws).toEqual([]);
    await goOn(stage, restored);
  });
});

/** The example with a folder of this machine in place of a bucket. */
function localConfig(historyFile: string, replica: string): string {
  const example = read('deploy/litestream/litestream.yml');
  const local = example
    .replace('/var/lib/dbpm-exporter/dbpm.sqlite', historyFile)
    .replace(/type: s3\n\s+bucket: .*\n\s+path: .*\n\s+region: .*/, `type: file\n        path: ${replica}`)
    .replace(/sync-interval: .*/, 'sync-interval: 1s');
  expect(local).toContain(`path: ${replica}`);
  return local;
}
