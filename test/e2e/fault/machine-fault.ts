import { execFileSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { DaemonProcess } from '../../support/daemon-process.ts';
import { overwrite } from '../../support/damaged-history.ts';
import type { SimulatedWorld } from '../simulated-world.ts';

/** A service, a folder, and the daemon that runs there when a fault comes. */
export interface MachineStage {
  readonly world: SimulatedWorld;
  readonly historyFile: string;
  readonly keyFile: string;
  readonly key: string;
  /** Starts a daemon, which then knows all there is; or, where it does not start, gives what it says. */
  start(env?: Readonly<Record<string, string>>, wrapper?: readonly string[]): Promise<DaemonProcess | string>;
  /** The daemon that runs, and knows all there is. */
  running(): Promise<DaemonProcess>;
  /** Waits until the page has these signs that something is wrong, and no others. */
  until(signs: readonly string[]): Promise<void>;
}

/** A row of the table of faults about the machine the daemon runs on. */
export interface MachineFault {
  readonly fault: string;
  /** Does it, and ends it: afterwards all must be right by itself. */
  inflict(stage: MachineStage): Promise<void>;
  /** What the page says meanwhile: that which is 0 and should be 1. */
  readonly signs: readonly string[];
  /** A part of the first line of the log about it; of the one sentence where the daemon does not start. */
  readonly log?: string;
  readonly alerts: readonly string[];
  /** Whether there is no page, as the daemon does not run. */
  readonly down?: boolean;
}

const everyCollector = ['api_keys', 'endpoints', 'operations', 'projects'].map(
  collector => `dbpm_collector_success{collector="${collector}"} 0`,
);
const nothingRead = [...everyCollector, 'dbpm_up 0'];
const fileSizeLimit = (daemon: DaemonProcess, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`]);

/** Fails unless a daemon does not start, with a sentence that has this in it. */
async function expectRefusal(stage: MachineStage, sentence: string): Promise<void> {
  const answer = await stage.start();
  if (typeof answer !== 'string') throw new Error('the daemon started all the same');
  if (!answer.includes(sentence)) throw new Error(`it said: ${answer}`);
}

/** The key that was in use stays in use; the file has it again in the end. */
function losingKey(fault: string, change: (keyFile: string) => void): MachineFault {
  return {
    fault,
    async inflict(stage) {
      await stage.running();
      change(stage.keyFile);
      await pause(5000);
      await stage.until([]);
      writeFileSync(stage.keyFile, stage.key, { mode: 0o600 });
    },
    signs: [],
    alerts: [],
  };
}

/** What happens to the machine, to files and to the process. */
export const machineFaults: readonly MachineFault[] = [
  {
    fault: 'the process is stopped for ten seconds (SIGSTOP) and goes on',
    async inflict(stage) {
      const daemon = await stage.running();
      daemon.signal('SIGSTOP');
      await pause(10_000);
      daemon.signal('SIGCONT');
    },
    signs: [],
    alerts: [],
  },
  {
    fault: 'the history cannot be written (I/O error)',
    async inflict(stage) {
      const daemon = await stage.running();
      fileSizeLimit(daemon, statSync(stage.historyFile).size);
      await stage.until(nothingRead);
      fileSizeLimit(daemon, 'unlimited');
    },
    signs: nothingRead,
    log: 'disk I/O error',
    alerts: ['DbpmHistoryWriteFailed', 'DbpmAccountFailing'],
  },
  {
    fault: 'the header of the history is damaged at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      overwrite(stage.historyFile, 0, 100);
      await (await stage.running()).stop('SIGTERM');
      rmSync(stage.historyFile);
    },
    signs: [],
    log: 'the history was damaged and set aside, and all counters began anew',
    alerts: ['DbpmHistorySetAside'],
  },
  {
    fault: 'another file is in the place of the history at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      for (const suffix of ['', '.lock']) rmSync(`${stage.historyFile}${suffix}`);
      writeFileSync(stage.historyFile, 'x'.repeat(8192));
      await expectRefusal(stage, 'which is no history');
      rmSync(stage.historyFile);
    },
    signs: [],
    log: 'which is no history',
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'the history was written by a newer version',
    async inflict(stage) {
      const daemon = await stage.running();
      await daemon.stop('SIGTERM');
      const version = setVersion(stage.historyFile, 9999);
      await expectRefusal(stage, 'was written by a newer dbpm-exporter');
      setVersion(stage.historyFile, version);
    },
    signs: [],
    log: 'was written by a newer dbpm-exporter',
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'the write-ahead log is garbage at the start',
    async inflict(stage) {
      const daemon = await stage.running();
      await daemon.stop('SIGTERM');
      writeFileSync(`${stage.historyFile}-wal`, 'garbage'.repeat(10_000));
      await stage.running();
    },
    signs: [],
    alerts: [],
  },
  {
    fault: 'the daemon is killed (SIGKILL) and started again',
    async inflict(stage) {
      const daemon = await stage.running();
      await daemon.stop('SIGKILL');
    },
    signs: [],
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'a second daemon is started on the same history',
    async inflict(stage) {
      await stage.running();
      await expectRefusal(stage, 'is in use by another dbpm-exporter');
    },
    signs: [],
    log: 'is in use by another dbpm-exporter',
    alerts: [],
  },
  {
    fault: 'no more than 64 files and connections may be open',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      await stage.start({}, ['sh', '-c', 'ulimit -n 64 && exec "$@"', 'sh']);
      await stage.until([]);
    },
    signs: [],
    alerts: [],
  },
  {
    fault: 'JavaScript may take no more than 64 MB',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      await stage.start({ NODE_OPTIONS: '--max-old-space-size=64' });
      await stage.until([]);
    },
    signs: [],
    alerts: [],
  },
  losingKey('the key file is removed', keyFile => rmSync(keyFile)),
  losingKey('the key file is empty', keyFile => writeFileSync(keyFile, '')),
  losingKey('the key file holds garbage', keyFile => writeFileSync(keyFile, '\u0000\u0007 x')),
];

function setVersion(file: string, version: number): number {
  const database = new Database(file);
  const before = Number(database.pragma('user_version', { simple: true }));
  database.pragma(`user_version = ${version}`);
  database.close();
  return before;
}
