import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { backupHistory, nameBackup } from '../../../src/history/file/backup.ts';
import { damageTable, overwrite } from '../../support/damaged-history.ts';
import { withMount } from '../../support/mount-namespace.ts';
import { expectRefusal, type MachineFault, type StageDaemon } from './machine-fault.ts';

const everyCollector = ['api_keys', 'endpoints', 'operations', 'projects'].map(
  collector => `dbpm_collector_success{collector="${collector}"} 0`,
);
const nothingRead = [...everyCollector, 'dbpm_up 0'];
const notWritten = ['DbpmAccountFailing', 'DbpmDataStale', 'DbpmHistoryWriteFailed'];

const fileSizeLimit = (daemon: StageDaemon, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`]);

/** What happens to the history and to the disk it is on. */
export const historyFaults: readonly MachineFault[] = [
  {
    fault: 'the history cannot be written (I/O error)',
    async inflict(stage) {
      fileSizeLimit(await stage.running(), statSync(stage.historyFile).size);
    },
    heal: stage => void fileSizeLimit(stage.current(), 'unlimited'),
    signs: nothingRead,
    log: 'disk I/O error',
    alerts: notWritten,
  },
  {
    fault: 'the disk is full',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      const folder = join(stage.world.folder, 'disk');
      mkdirSync(folder);
      // Seen by the daemon alone.
      const mount = withMount(`mount -t tmpfs -o size=4m none '${folder}'`);
      await stage.start({ DBPM_HISTORY_FILE: join(folder, 'history.sqlite') }, mount);
      const { pid } = await stage.running();
      const disk = `/proc/${pid}/root${folder}`;
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize));
      await stage.until(nothingRead, () => stage.world.call('POST', '/advance', { seconds: 600 }));
    },
    async heal(stage) {
      const { pid } = stage.current();
      rmSync(join(`/proc/${pid}/root${stage.world.folder}`, 'disk', 'filler'));
      await (await stage.running()).stop('SIGTERM');
    },
    signs: nothingRead,
    log: 'database or disk is full',
    alerts: notWritten,
    restarts: true,
    mounts: true,
  },
  {
    fault: 'the history is removed while the daemon runs',
    async inflict({ historyFile }) {
      await copyInUse(historyFile);
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${historyFile}${suffix}`);
    },
    async heal(stage) {
      await stage.current().stop('SIGTERM');
      copyFileSync(`${stage.historyFile}.copy`, stage.historyFile);
    },
    signs: nothingRead,
    log: 'the file was removed or replaced while in use: start dbpm-exporter again',
    alerts: notWritten,
    restarts: true,
  },
  {
    fault: 'the folder of the history may not be written at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      const { folder } = stage.world;
      const mount = `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind '${folder}'`;
      await expectRefusal(stage, 'which this user may not read and write', withMount(mount));
    },
    signs: [],
    log: 'which this user may not read and write',
    alerts: ['DbpmExporterDown'],
    down: true,
    mounts: true,
  },
  {
    fault: 'a page in the middle of the history is damaged',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      copyFileSync(stage.historyFile, `${stage.historyFile}.copy`);
      damageTable(stage.historyFile, 'usage_hour');
      await stage.start();
    },
    async heal(stage) {
      await stage.current().stop('SIGTERM');
      copyFileSync(`${stage.historyFile}.copy`, stage.historyFile);
    },
    signs: ['dbpm_exporter_history_damaged 1'],
    log: 'the history is damaged: polling goes on, what needs the damaged part stands still',
    alerts: ['DbpmHistoryDamaged'],
    restarts: true,
  },
  {
    fault: 'the header of the history is damaged at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      const to = nameBackup(stage.historyFile, '', Date.now());
      await backupHistory({ from: stage.historyFile, to });
      overwrite(stage.historyFile, 0, 100);
      await stage.start();
    },
    async heal(stage) {
      await (await stage.running()).stop('SIGTERM');
      rmSync(stage.historyFile);
    },
    signs: [],
    log: 'the history was damaged and set aside, and the newest backup goes on in its place',
    alerts: ['DbpmHistorySetAside'],
    restarts: true,
  },
  {
    fault: 'another file is in the place of the history at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      for (const suffix of ['', '.lock']) rmSync(`${stage.historyFile}${suffix}`);
      writeFileSync(stage.historyFile, 'x'.repeat(8192));
      await expectRefusal(stage, 'which is no history');
    },
    heal: ({ historyFile }) => rmSync(historyFile),
    signs: [],
    log: 'which is no history',
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'the history was written by a newer version',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      copyFileSync(stage.historyFile, `${stage.historyFile}.copy`);
      setVersion(stage.historyFile, 9999);
      await expectRefusal(stage, 'was written by a newer dbpm-exporter');
    },
    heal: ({ historyFile }) => copyFileSync(`${historyFile}.copy`, historyFile),
    signs: [],
    log: 'was written by a newer dbpm-exporter',
    alerts: ['DbpmExporterDown'],
    down: true,
  },
  {
    fault: 'the write-ahead log is garbage at the start',
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      writeFileSync(`${stage.historyFile}-wal`, 'garbage'.repeat(10_000));
      await stage.start();
    },
    signs: [],
    alerts: [],
    restarts: true,
  },
];

/** Copies a history that a daemon has open. */
async function copyInUse(file: string): Promise<void> {
  const database = new Database(file, { readonly: true });
  await database.backup(`${file}.copy`);
  database.close();
}

function setVersion(file: string, version: number): void {
  const database = new Database(file);
  database.pragma(`user_version = ${version}`);
  database.close();
}
