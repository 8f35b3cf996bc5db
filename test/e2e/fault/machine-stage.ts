import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DaemonProcess } from '../../support/daemon-process.ts';
import { readSamples } from '../../support/exposition-reader.ts';
import { findFreePort } from '../../support/free-port.ts';
import { patience } from '../../support/patience.ts';
import { type Prometheus, startPrometheus } from '../../support/prometheus.ts';
import { differences } from '../../support/truth.ts';
import { startWorld, worldKey } from '../simulated-world.ts';
import { openSteppedClock } from '../stepped-clock.ts';
import { selfSignsOf, signsOf } from './account-sign.ts';
import { shortenAlerts, writeRules } from './fault-rule.ts';
import type { MachineStage } from './machine-fault.ts';

/** What happens between two readings is dated by guess. */
const stateToleranceSeconds = 15;

const thresholds = {
  DbpmHistoryWriteFailed: { window: '5s' },
  // A busy machine misses a scrape by itself.
  DbpmExporterDown: { for: '3s' },
  // Longer than a daemon is away that is started anew.
  DbpmDataStale: { for: '10s', list_age: '5s', project_age: '5s' },
};

/** A stage whose alerts a real Prometheus evaluates. */
export interface WatchedStage extends MachineStage {
  readonly prometheus: Prometheus;
  /** The log of all daemons there were. */
  log(): string;
  close(): Promise<void>;
}

/** @param prometheusPath path of the program. */
export async function openMachineStage(prometheusPath: string): Promise<WatchedStage> {
  const world = await startWorld({ projects: 3, historyDays: 1 });
  const clock = openSteppedClock(world.folder);
  const keyFile = join(world.folder, 'dbpm.key');
  writeFileSync(keyFile, worldKey, { mode: 0o600 });
  const address = `127.0.0.1:${await findFreePort()}`;
  const ruleFile = await writeShortenedRules(world.folder);
  const daemons: DaemonProcess[] = [];
  let current: DaemonProcess | undefined;
  const stage: MachineStage = {
    ...{ world, clock, keyFile },
    key: worldKey,
    historyFile: join(world.folder, 'history.sqlite'),
    async start({ NODE_OPTIONS = '', ...env } = {}, wrapper = []) {
      const places = { DBPM_API_KEY: '', DBPM_API_KEY_FILE: keyFile, DBPM_WEB_LISTEN_ADDRESS: address };
      const options = `${clock.env.NODE_OPTIONS} ${NODE_OPTIONS}`;
      const daemon = world.startDaemon({ ...places, ...clock.env, ...env, NODE_OPTIONS: options }, wrapper);
      daemons.push(daemon);
      const url = await daemon.untilServing().catch(() => undefined);
      if (url === undefined) {
        await daemon.exited;
        return daemon.stderr();
      }
      current = daemon;
      return daemon;
    },
    current() {
      if (current === undefined) throw new Error('no daemon was started');
      return current;
    },
    async running() {
      if (current?.isRunning() !== true) {
        const answer = await stage.start();
        if (typeof answer === 'string') throw new Error(`the daemon does not start: ${answer}`);
      }
      world.freeze();
      await stage.until([]);
      await vi.waitFor(
        async () =>
          expect(differences(await world.truth(), await stage.scrape(), stateToleranceSeconds)).toEqual([]),
        patience,
      );
      world.thaw();
      return stage.current();
    },
    scrape: () => readSamples(`http://${address}`),
    until: (signs, meanwhile = async () => {}) =>
      vi.waitFor(async () => {
        await meanwhile();
        const samples = await stage.scrape();
        const account = samples.find(({ name }) => name === 'dbpm_up')?.labels.account ?? '';
        expect([...signsOf(account, samples, samples), ...selfSignsOf(samples)]).toEqual(signs);
      }, patience),
  };
  await stage.start();
  const prometheus = await startPrometheus(
    prometheusPath,
    { dbpm: `http://${address}/metrics` },
    { ruleFile },
  );
  return {
    ...stage,
    prometheus,
    log: () => daemons.map(daemon => daemon.stderr()).join(''),
    async close() {
      await prometheus.close();
      await world.close();
    },
  };
}

/** JSON is YAML. */
function writeShortenedRules(folder: string): Promise<string> {
  const configFile = join(folder, 'rules.json');
  writeFileSync(configFile, JSON.stringify({ rules: { alerts: shortenAlerts(thresholds) } }));
  return writeRules(configFile, folder);
}
