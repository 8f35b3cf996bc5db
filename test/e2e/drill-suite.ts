import { copyFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/history/file/database.ts';
import type { SeriesMode } from '../../src/resources/series/family-selection.ts';
import { damageTable, overwrite } from '../support/damaged-history.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { describeWithPeers } from '../support/peer.ts';
import { setLedgersApart, setMeterUnusual } from '../support/written-meter.ts';
import { type CreatedKey, createKey, firstProject, raiseCounters } from './drill-action.ts';
import { drillFaults } from './drill-fault.ts';
import { amplePrices, scarceBudgets } from './drill-spending.ts';
import { type Drill, openDrill } from './drill-world.ts';
import { serveMeter } from './metered-world.ts';
import { standIn } from './stand-in.ts';

/** Holds a history as a command does that works on it. */
function holdHistory(file: string) {
  const opened = openDatabase(file);
  let isHeld = true;
  const release = () => {
    if (isHeld) opened.close();
    isHeld = false;
  };
  return { release, [Symbol.dispose]: release };
}

const patience = { timeout: 120_000, interval: 250 };
vi.setConfig({ testTimeout: 300_000, maxConcurrency: drillFaults.length });

const peers = ['prometheus', 'promtool', 'prometheus-alertmanager'] as const;

/** Every fault, on a page of this mode, until people are told of it and then that all is well. */
export function describeDrill(mode: SeriesMode): void {
  describeWithPeers(peers, `a notification arrives, and then that all is well, ${mode}`, paths => {
    let drill: Drill;

    beforeAll(async () => {
      drill = await openDrill(paths, mode);
    });

    afterAll(async () => await drill?.close());

    /** Waits for the next notification of this kind after the first `from`, and says how many had come by then. */
    async function untilNotified(
      status: 'firing' | 'resolved',
      alertname: string,
      labels: Readonly<Record<string, string>>,
      from = 0,
    ): Promise<number> {
      const wanted = Object.entries({ ...labels, alertname });
      return vi.waitFor(() => {
        const index = drill.alertmanager
          .notifications()
          .findIndex(
            (found, at) =>
              at >= from &&
              found.status === status &&
              wanted.every(([label, value]) => found.labels[label] === value),
          );
        if (index < 0) throw new Error(`no notification that ${alertname} is ${status}: ${wanted.join(' ')}`);
        return index + 1;
      }, patience);
    }

    const received = () => drill.alertmanager.notifications().length;

    describe.concurrent('all at once', () => {
      test.each(drillFaults)('$alert: $fault, until $mended', async ({ alert, inject }) => {
        const { labels, mend } = await inject(drill);
        const firedBy = await untilNotified('firing', alert, labels);
        await mend();
        await untilNotified('resolved', alert, labels, firedBy);
      });
    });

    describe('one after the other', () => {
      test('DbpmHistoryWriteFailed: the history refuses what is written, until it takes it again', async () => {
        const before = received();
        const history = new Database(drill.historyFile);
        const refuse = (event: 'insert' | 'update') =>
          history.exec(
            `CREATE TRIGGER refuse_${event} BEFORE ${event} ON collector BEGIN SELECT RAISE(FAIL, 'refused'); END`,
          );
        refuse('insert');
        refuse('update');
        const firedBy = await untilNotified('firing', 'DbpmHistoryWriteFailed', {}, before);
        history.exec('DROP TRIGGER refuse_insert; DROP TRIGGER refuse_update');
        history.close();
        await untilNotified('resolved', 'DbpmHistoryWriteFailed', {}, firedBy);
      });

      test('DbpmKeyRejected: the key is revoked, until its file has another', async () => {
        const { world } = drill.stages.revoked;
        const labels = { account: 'revoked' };
        const before = received();
        const spare: CreatedKey = await createKey(drill.stages.revoked, 'spare');
        const url = `${world.simulator.base_url}api_keys`;
        const keys = (await world.call('GET', url)) as readonly {
          readonly id: number;
          readonly name: string;
        }[];
        await world.call('DELETE', `${url}/${keys.find(({ name }) => name === 'exporter')?.id}`);
        const firedBy = await untilNotified('firing', 'DbpmKeyRejected', labels, before);
        drill.writeKey('revoked', spare.key);
        await untilNotified('resolved', 'DbpmKeyRejected', labels, firedBy);
        const accepted = 'dbpm_auth_ok{account="revoked"} == 1';
        await vi.waitFor(
          async () => expect(await drill.prometheus.query(accepted)).toHaveLength(1),
          patience,
        );
      });

      test('DbpmConfigReloadFailed: a reload finds a mistake, until it finds none', async () => {
        const before = received();
        drill.writeSpending({ ...amplePrices, budgets: [{ name: 'for nobody', amount: 1, per: 'month' }] });
        drill.reload();
        const firedBy = await untilNotified('firing', 'DbpmConfigReloadFailed', { job: 'dbpm' }, before);
        drill.writeSpending(amplePrices);
        drill.reload();
        await untilNotified('resolved', 'DbpmConfigReloadFailed', { job: 'dbpm' }, firedBy);
      });

      test('DbpmSeriesDropped: the daemon is given a limit that is too small, until it is given none', async () => {
        const before = received();
        await drill.stopDaemon();
        await drill.startDaemon({ DBPM_SERIES_LIMIT_PER_FAMILY: '5' });
        const firedBy = await untilNotified('firing', 'DbpmSeriesDropped', { job: 'dbpm' }, before);
        await drill.stopDaemon();
        await drill.startDaemon();
        await untilNotified('resolved', 'DbpmSeriesDropped', { job: 'dbpm' }, firedBy);
      });

      test('DbpmShardMissing: the daemon is one of two shards and the other one is not there, until it is alone', async () => {
        const before = received();
        await drill.stopDaemon();
        await drill.startDaemon({ DBPM_SHARD: '0/2', DBPM_HISTORY_FILE: `${drill.historyFile}.part` });
        const firedBy = await untilNotified('firing', 'DbpmShardMissing', { job: 'dbpm' }, before);
        await drill.stopDaemon();
        await drill.startDaemon();
        await untilNotified('resolved', 'DbpmShardMissing', { job: 'dbpm' }, firedBy);
      });

      test('prices and budgets that will not do, until there are others', async () => {
        const before = received();
        const account = 'costly';
        const raised = [
          ['DbpmUsageUnpriced', { account: 'main' }],
          ['DbpmBudgetExhausted', { budget: 'short' }],
          ['DbpmBudgetBurnsFast', { budget: 'hasty' }],
          ['DbpmBudgetThresholdReached', { budget: 'short' }],
          ['DbpmBudgetBurnsSlow', { budget: 'hasty' }],
          ['DbpmBudgetWillRunOut', { budget: 'hasty' }],
          ['DbpmFindingsCostly', { account }],
        ] as const;
        drill.writeSpending(scarceBudgets);
        drill.reload();
        for (const [alert, labels] of raised) await untilNotified('firing', alert, labels, before);
        const firedBy = received();
        drill.writeSpending(amplePrices);
        drill.reload();
        for (const [alert, labels] of raised) await untilNotified('resolved', alert, labels, firedBy);
      });

      test('DbpmLedgersDisagree: the meter tells of use that the counters do not, until it does not', async () => {
        const before = received();
        const labels = { account: 'main' };
        const mend = setLedgersApart(drill.historyFile, 'main');
        const firedBy = await untilNotified('firing', 'DbpmLedgersDisagree', labels, before);
        mend();
        await untilNotified('resolved', 'DbpmLedgersDisagree', labels, firedBy);
      });

      test('DbpmMeterUnusual: the meter tells far more of a project than ever, until it does not', async () => {
        const before = received();
        const { project_id } = await firstProject(drill.stages.costly);
        const labels = { account: 'costly', project_id };
        const mend = setMeterUnusual(drill.historyFile, 'costly', project_id);
        const firedBy = await untilNotified('firing', 'DbpmMeterUnusual', labels, before);
        mend();
        await untilNotified('resolved', 'DbpmMeterUnusual', labels, firedBy);
      });

      test('DbpmMeterStopped: the meter tells nothing new, until it is not read any more', async () => {
        const before = received();
        const labels = { account: 'main' };
        await drill.stopDaemon();
        await serveMeter(drill.stages.main.world);
        await drill.startDaemon({ DBPM_COLLECT_CONSUMPTION: 'on' });
        const firedBy = await untilNotified('firing', 'DbpmMeterStopped', labels, before);
        await drill.stopDaemon();
        await drill.startDaemon({ DBPM_COLLECT_CONSUMPTION: 'off' });
        await untilNotified('resolved', 'DbpmMeterStopped', labels, firedBy);
      });

      test('DbpmUsageStale: the list of projects never comes to its end, until it does', async () => {
        const before = received();
        const { world } = drill.stages.costly;
        const body = JSON.stringify({ projects: [], unavailable_project_ids: ['slow'] });
        await world.call('POST', '/faults', { match: 'GET /projects', status: 200, body });
        const firedBy = await untilNotified('firing', 'DbpmUsageStale', { account: 'costly' }, before);
        await world.call('DELETE', '/faults');
        await untilNotified('resolved', 'DbpmUsageStale', { account: 'costly' }, firedBy);
      });

      test('DbpmUsageDrift and DbpmUsageUnusual: a counter jumps, until two days are over', async () => {
        const before = received();
        const { world } = drill.stages.costly;
        const { project_id } = await firstProject(drill.stages.costly);
        const account = 'costly';
        // As much again as endpoints can use at most in the time to come: more would be held back.
        const hours = 12;
        const raised = await raiseCounters(drill.stages.costly, hours * 3600);
        await world.call('POST', '/advance', { seconds: hours * 3600 });
        // Read before time passes, it was used by now; a habit is one of whole hours.
        await vi.waitFor(async () => {
          const samples = await drill.stages.costly.scrape();
          const name = 'dbpm_project_cpu_used_reported_seconds';
          expect(sampleValue(samples, name, { project_id })).toBeGreaterThanOrEqual(
            raised.get(project_id) ?? 0,
          );
        }, patience);
        await world.call('POST', '/advance', { seconds: 3600 });
        await untilNotified('firing', 'DbpmUsageDrift', { account }, before);
        await untilNotified('firing', 'DbpmUsageUnusual', { account, project_id }, before);
        const firedBy = received();
        await world.call('POST', '/advance', { seconds: 2 * 86_400 });
        await untilNotified('resolved', 'DbpmUsageDrift', { account }, firedBy);
        await untilNotified('resolved', 'DbpmUsageUnusual', { account, project_id }, firedBy);
      });

      test('DbpmPollingStalled: a page says so, as nothing from outside has it stall, until it does not', async () => {
        const before = received();
        const stand = await standIn('dbpm_exporter_polling_stalled');
        try {
          drill.prometheus.retarget('dbpm', stand.url);
          const labels = { job: 'dbpm', account: 'main' };
          const firedBy = await untilNotified('firing', 'DbpmPollingStalled', labels, before);
          stand.show(0);
          await untilNotified('resolved', 'DbpmPollingStalled', labels, firedBy);
        } finally {
          drill.prometheus.retarget('dbpm', drill.metricsUrl);
          await stand.close();
        }
      });

      test('DbpmExporterDown: the daemon is stopped, until it is started again', async () => {
        const before = received();
        await drill.stopDaemon();
        const firedBy = await untilNotified('firing', 'DbpmExporterDown', { job: 'dbpm' }, before);
        await drill.startDaemon();
        await untilNotified('resolved', 'DbpmExporterDown', { job: 'dbpm' }, firedBy);
      });

      test('DbpmExporterAbsent: Prometheus is told of no target, until it is told of one', async () => {
        const before = received();
        drill.prometheus.retarget('dbpm', undefined);
        const firedBy = await untilNotified('firing', 'DbpmExporterAbsent', { job: 'dbpm' }, before);
        drill.prometheus.retarget('dbpm', drill.metricsUrl);
        await untilNotified('resolved', 'DbpmExporterAbsent', { job: 'dbpm' }, firedBy);
      });

      test('DbpmNoActiveExporter: a program holds the history for which the daemon stands by, until it lets go', async () => {
        const before = received();
        await drill.stopDaemon();
        using held = holdHistory(drill.historyFile);
        await drill.startDaemon({ DBPM_STANDBY: 'true' });
        const firedBy = await untilNotified('firing', 'DbpmNoActiveExporter', { job: 'dbpm' }, before);
        held.release();
        await untilNotified('resolved', 'DbpmNoActiveExporter', { job: 'dbpm' }, firedBy);
        await drill.stopDaemon();
        await drill.startDaemon();
      });

      // These start the daemon anew, which may raise DbpmExporterDown for a moment: they come last.
      test('DbpmHistoryDamaged: a part of the history is damaged, until a copy is put in its place', async () => {
        const before = received();
        const copy = `${drill.historyFile}.copy`;
        await drill.stopDaemon();
        copyFileSync(drill.historyFile, copy);
        damageTable(drill.historyFile, 'compute_interval');
        await drill.startDaemon();
        const firedBy = await untilNotified('firing', 'DbpmHistoryDamaged', { job: 'dbpm' }, before);
        await drill.stopDaemon();
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${drill.historyFile}${suffix}`, { force: true });
        copyFileSync(copy, drill.historyFile);
        await drill.startDaemon();
        await untilNotified('resolved', 'DbpmHistoryDamaged', { job: 'dbpm' }, firedBy);
      });

      test('DbpmHistorySetAside: the history cannot be opened, until a copy is put in its place', async () => {
        const before = received();
        const copy = `${drill.historyFile}.copy`;
        await drill.stopDaemon();
        copyFileSync(drill.historyFile, copy);
        overwrite(drill.historyFile, 0, 100);
        await drill.startDaemon();
        const firedBy = await untilNotified('firing', 'DbpmHistorySetAside', { job: 'dbpm' }, before);
        await drill.stopDaemon();
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${drill.historyFile}${suffix}`, { force: true });
        copyFileSync(copy, drill.historyFile);
        await drill.startDaemon();
        await untilNotified('resolved', 'DbpmHistorySetAside', { job: 'dbpm' }, firedBy);
      });
    });
  });
}
