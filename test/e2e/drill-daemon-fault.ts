import { copyFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { openDatabase } from '../../src/history/file/database.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { type CreatedKey, createKey } from './drill-action.ts';
import { type DrillFault, untilScraped } from './drill-injection.ts';
import { amplePrices, type Drill } from './drill-world.ts';

const ofJob = { job: 'dbpm' } as const;

/** Of the daemon itself, its history and its settings. */
export const daemonFaults: readonly DrillFault[] = [
  {
    alerts: ['DbpmHistoryWriteFailed'],
    fault: 'the history refuses what is written',
    mended: 'it takes it again',
    async inject({ historyFile }) {
      const history = new Database(historyFile);
      const refuse = (event: 'insert' | 'update') =>
        history.exec(
          `CREATE TRIGGER refuse_${event} BEFORE ${event} ON collector BEGIN SELECT RAISE(FAIL, 'refused'); END`,
        );
      refuse('insert');
      refuse('update');
      return {
        labels: {},
        async mend() {
          history.exec('DROP TRIGGER refuse_insert; DROP TRIGGER refuse_update');
          history.close();
        },
      };
    },
  },
  {
    alerts: ['DbpmKeyRejected'],
    fault: 'the key is revoked',
    mended: 'its file has another',
    async inject(drill) {
      const { revoked } = drill.stages;
      const spare: CreatedKey = await createKey(revoked, 'spare');
      const url = `${revoked.world.simulator.base_url}api_keys`;
      const keys = (await revoked.world.call('GET', url)) as readonly {
        readonly id: number;
        readonly name: string;
      }[];
      await revoked.world.call('DELETE', `${url}/${keys.find(({ name }) => name === 'exporter')?.id}`);
      const labels = { account: 'revoked' };
      return {
        labels,
        async mend() {
          drill.writeKey('revoked', spare.key);
          await untilScraped(drill, 'dbpm_auth_ok', labels, 1);
        },
      };
    },
  },
  {
    alerts: ['DbpmConfigReloadFailed'],
    fault: 'a reload finds a mistake',
    mended: 'it finds none',
    async inject(drill) {
      drill.writeSpending({ ...amplePrices, budgets: [{ name: 'for nobody', amount: 1, per: 'month' }] });
      drill.reload();
      return {
        labels: ofJob,
        async mend() {
          drill.writeSpending(amplePrices);
          drill.reload();
        },
      };
    },
  },
  {
    alerts: ['DbpmSeriesDropped'],
    fault: 'the daemon is given a limit that is too small',
    mended: 'it is given none',
    inject: drill => startOtherwise(drill, { DBPM_SERIES_LIMIT_PER_FAMILY: '5' }),
  },
  {
    alerts: ['DbpmShardMissing'],
    fault: 'the daemon is one of two shards and the other one is not there',
    mended: 'it is alone',
    inject: drill =>
      startOtherwise(drill, { DBPM_SHARD: '0/2', DBPM_HISTORY_FILE: `${drill.historyFile}.part` }),
  },
  {
    alerts: ['DbpmPollingStalled'],
    fault: 'a page says so, as nothing from outside has it stall',
    mended: 'it does not',
    async inject(drill) {
      const stand = await standIn('dbpm_exporter_polling_stalled');
      drill.prometheus.retarget('dbpm', stand.url);
      return {
        labels: { ...ofJob, account: 'main' },
        mend: async () => stand.show(0),
        async clear() {
          drill.prometheus.retarget('dbpm', drill.metricsUrl);
          await stand.close();
        },
      };
    },
  },
  {
    alerts: ['DbpmHistoryBackupFailed'],
    fault: 'a page says so, as the first backup is an hour away',
    mended: 'it does not',
    async inject(drill) {
      const stand = await standIn('dbpm_exporter_history_backup_success');
      stand.show(0);
      drill.prometheus.retarget('dbpm', stand.url);
      return {
        labels: ofJob,
        mend: async () => stand.show(1),
        async clear() {
          drill.prometheus.retarget('dbpm', drill.metricsUrl);
          await stand.close();
        },
      };
    },
  },
  {
    alerts: ['DbpmExporterDown'],
    fault: 'the daemon is stopped',
    mended: 'it is started again',
    async inject(drill) {
      await drill.stopDaemon();
      return { labels: ofJob, mend: () => drill.startDaemon() };
    },
  },
  {
    alerts: ['DbpmExporterAbsent'],
    fault: 'Prometheus is told of no target',
    mended: 'it is told of one',
    async inject({ prometheus, metricsUrl }) {
      prometheus.retarget('dbpm', undefined);
      return { labels: ofJob, mend: async () => prometheus.retarget('dbpm', metricsUrl) };
    },
  },
  {
    alerts: ['DbpmNoActiveExporter'],
    fault: 'a program holds the history for which the daemon stands by',
    mended: 'it lets go',
    async inject(drill) {
      await drill.stopDaemon();
      // As a command does that works on it.
      const held = openDatabase(drill.historyFile);
      await drill.startDaemon({ DBPM_STANDBY: 'true' });
      return {
        labels: ofJob,
        mend: async () => held.close(),
        clear: () => restart(drill),
      };
    },
  },
  // These start the daemon anew, which may raise DbpmExporterDown for a moment: they come last.
  {
    alerts: ['DbpmHistoryDamaged'],
    fault: 'a part of the history is damaged',
    mended: 'a copy is put in its place',
    inject: drill => damageHistory(drill, file => damageTable(file, 'compute_interval')),
  },
  {
    alerts: ['DbpmHistorySetAside'],
    fault: 'the history cannot be opened',
    mended: 'a copy is put in its place',
    inject: drill => damageHistory(drill, file => overwrite(file, 0, 100)),
  },
];

async function startOtherwise(drill: Drill, env: Readonly<Record<string, string>>) {
  await drill.stopDaemon();
  await drill.startDaemon(env);
  return { labels: ofJob, mend: () => restart(drill) };
}

async function restart(drill: Drill): Promise<void> {
  await drill.stopDaemon();
  await drill.startDaemon();
}

async function damageHistory(drill: Drill, damage: (file: string) => void) {
  const file = drill.historyFile;
  const copy = `${file}.copy`;
  await drill.stopDaemon();
  copyFileSync(file, copy);
  damage(file);
  await drill.startDaemon();
  return {
    labels: ofJob,
    async mend() {
      await drill.stopDaemon();
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      copyFileSync(copy, file);
      await drill.startDaemon();
    },
  };
}

/** A page of metrics that stands in for that of a daemon: one gauge of account `main`, which is 1 until it is shown otherwise. */
async function standIn(metric: string) {
  let shown = 1;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(`# TYPE ${metric} gauge\n${metric}{account="main"} ${shown}\n`);
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url: `${url}/metrics`,
    show: (value: number) => {
      shown = value;
    },
    close,
  };
}
