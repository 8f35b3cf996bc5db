import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everything, listBoardExpressions } from '../dashboards/board-expression.ts';
import { committedBoards } from '../dashboards/boards/committed-board.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';

const dayMs = 86_400_000;
const installedAt = Date.UTC(2026, 9, 20, 12);
const main = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;
const instance = 'exporter:10062';
const board = 'dbpm-usage-cost';

const config = {
  accounts: [{ name: 'main', base_url: 'http://127.0.0.1:1/api/v2/', api_key_env: 'KEY' }],
  pricing: {
    currency: 'USD',
    plans: [{ name: 'scale', prices: [{ from: '2026-01-01', per_compute_hour: 0.16 }] }],
  },
  groups: { region: { us: { regions: ['aws-us-*'] } } },
  budgets: [{ name: 'all', account: 'main', amount: 20, per: 'month' }],
};

describeWithPeers(
  ['prometheus', 'promtool'],
  'a Prometheus in its first hour, with the blocks of the time before',
  peers => {
    let life: LivedHistory;
    let prometheus: Prometheus;

    beforeAll(async () => {
      life = new LivedHistory({
        now: installedAt / 1000,
        seed: 5,
        projects: 3,
        historyDays: 12,
        showcase: true,
      });
      life.watch(1200, { listEverySeconds: 300, projectsEvery: 2 });
      const configFile = join(life.folder.path, 'dbpm.yaml');
      writeFileSync(configFile, JSON.stringify(config));
      const dataFolder = join(life.folder.path, 'data');
      const at = (instant: number) => new Date(instant).toISOString();
      const range = ['--from', at(installedAt - 7 * dayMs), '--to', at(installedAt)];
      const args = ['--config.file', configFile, '--history.file', life.folder.file, '--blocks', dataFolder];
      await promisify(execFile)(process.execPath, [
        ...[main, 'export', ...range, ...args],
        ...['--label', `instance=${instance}`],
      ]);
      expect(readdirSync(dataFolder).filter(name => name.length !== 26)).toEqual([]);
      prometheus = await startPrometheus(peers.prometheus, {}, { dataFolder });
    });

    afterAll(async () => {
      await prometheus?.close();
      life?.[Symbol.dispose]();
    });

    test.each([
      ['a week', 7 * dayMs, 1800],
      ['a day', dayMs, 180],
      ['six hours', dayMs / 4, 60],
    ])('every chart of Usage and cost has its line in a view of %s', async (_name, rangeMs, stepSeconds) => {
      const charts = committedBoards
        .filter(each => each.board.uid === board)
        .flatMap(each => each.board.panels)
        .filter(({ type }) => type === 'timeseries' || type === 'state-timeline')
        .map(({ title }) => title);
      const variables = { ...everything, job: 'dbpm', instance, __rate_interval: `${stepSeconds + 60}s` };
      const range = { fromAt: installedAt - rangeMs, untilAt: installedAt, stepSeconds };
      const found = await Promise.all(
        listBoardExpressions(variables)
          .filter(each => each.board === board && charts.includes(each.panel))
          .map(async ({ panel, expression }) => {
            const series = await prometheus.queryRange(expression, range);
            return { panel, isDrawn: series.some(({ value }) => value >= 10) };
          }),
      );
      expect(charts.length).toBeGreaterThanOrEqual(8);
      expect(charts.filter(title => !found.some(({ panel, isDrawn }) => panel === title && isDrawn))).toEqual(
        [],
      );
    });
  },
);
