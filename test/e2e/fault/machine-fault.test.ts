import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findSpellings } from '../../support/canary.ts';
import type { DaemonProcess } from '../../support/daemon-process.ts';
import { readExposition } from '../../support/exposition-reader.ts';
import { differences } from '../../support/truth.ts';
import { startWorld, worldKey } from '../simulated-world.ts';
import { signsOf } from './account-sign.ts';
import { type MachineStage, machineFaults } from './machine-fault.ts';

const patience = { timeout: 40_000, interval: 500 };
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

type Stage = MachineStage & { log(): string; right(): Promise<void>; close(): Promise<void> };
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function openStage(): Promise<Stage> {
  const world = await startWorld({ projects: 3, historyDays: 1 });
  const keyFile = join(world.folder, 'dbpm.key');
  writeFileSync(keyFile, worldKey, { mode: 0o600 });
  let running: DaemonProcess | undefined;
  let log = '';
  const start: MachineStage['start'] = async (env = {}, wrapper = []) => {
    const daemon = world.startDaemon({ DBPM_API_KEY: '', DBPM_API_KEY_FILE: keyFile, ...env }, wrapper);
    const url = await daemon.untilServing().catch(() => undefined);
    if (url !== undefined) {
      if (running !== undefined) log += running.stderr();
      running = daemon;
      return daemon;
    }
    await daemon.exited;
    log += daemon.stderr();
    return daemon.stderr();
  };
  const scrape = async () => {
    const url = await running?.untilServing();
    return readExposition(await (await fetch(`${url}/metrics`)).text());
  };
  const stage: Stage = {
    world,
    key: worldKey,
    historyFile: join(world.folder, 'history.sqlite'),
    keyFile,
    start,
    async running() {
      if (running?.isRunning() !== true) await start();
      if (running === undefined) throw new Error('the daemon does not start');
      await stage.right();
      return running;
    },
    until: signs =>
      vi.waitFor(async () => {
        const samples = await scrape();
        const account = samples.find(({ name }) => name === 'dbpm_up')?.labels.account ?? '';
        expect(signsOf(account, samples, samples)).toEqual(signs);
      }, patience),
    log: () => log + (running?.stderr() ?? ''),
    /** Waits until every counter is that of the service itself. */
    async right() {
      world.freeze();
      await stage.until([]);
      await vi.waitFor(
        async () => expect(differences(await world.truth(), await scrape(), 15)).toEqual([]),
        patience,
      );
      world.thaw();
    },
    close: () => world.close(),
  };
  return stage;
}

test.each(machineFaults)('$fault', async ({ inflict, log }) => {
  await stage.running();
  const before = warnings();
  await inflict(stage);
  await stage.running();
  if (log === undefined) expect(warnings().slice(before.length)).toEqual([]);
  else expect(stage.log()).toContain(log);
  expect(findSpellings(worldKey, stage.log())).toEqual([]);
});

function warnings(): readonly string[] {
  return stage
    .log()
    .split('\n')
    .filter(line => / level=(warn|error) /.test(line));
}
