import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFamilies } from '../../src/resources/project.ts';
import { liveProjects } from '../../src/simulator/model/account.ts';
import { liveEndpoints } from '../../src/simulator/model/project.ts';
import { everything, listBoardExpressions } from '../dashboards/board-expression.ts';
import { readQuery } from '../dashboards/query-reader.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';

const dayMs = 86_400_000;
const installedAt = Date.UTC(2026, 9, 20, 12);
const main = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;
const instance = 'exporter:10062';

const selected = { ...everything, job: 'dbpm', instance };
/** There are none before there is a reading. */
const reportedOnly = projectFamilies.cpuUsedReportedSeconds.name;

describeWithPeers(
  ['prometheus', 'promtool'],
  'a Prometheus filled with the time before it was there',
  peers => {
    let life: LivedHistory;
    let dayBefore: ReturnType<LivedHistory['truth']>;
    let truth: ReturnType<LivedHistory['truth']>;
    let prometheus: Prometheus;
    let names: ReadonlySet<string>;

    beforeAll(async () => {
      life = new LivedHistory({ now: (installedAt - dayMs) / 1000, seed: 5, projects: 4, historyDays: 10 });
      dayBefore = life.truth();
      life.miss(dayMs / 1000);
      truth = life.truth();
      life.watch(1200, { listEverySeconds: 300, projectsEvery: 2 });
      const file = join(life.folder.path, 'past.om');
      const at = (instant: number) => new Date(instant).toISOString();
      const range = ['--from', at(installedAt - 5 * dayMs), '--to', at(installedAt)];
      const args = ['--history.file', life.folder.file, '--label', `instance=${instance}`, '--out', file];
      await promisify(execFile)(process.execPath, [main, 'export', ...range, ...args]);
      const openMetrics = readFileSync(file, 'utf8');
      names = new Set(Array.from(openMetrics.matchAll(/^(\w+)\{/gm), ([, name = '']) => name));
      const past = { promtool: peers.promtool, openMetrics, flags: ['--max-block-duration=240h'] };
      prometheus = await startPrometheus(peers.prometheus, {}, { past });
    });

    afterAll(async () => {
      await prometheus?.close();
      life?.[Symbol.dispose]();
    });

    /** As Grafana puts them in place; samples of the time that is looked at are four minutes apart. */
    test.each([
      ['half a week', 72, 1800],
      ['six hours', 6, 60],
    ])(
      'the boards show it: in a view of %s every expression over what can be told has data',
      async (_name, hours, stepSeconds) => {
        const __rate_interval = `${stepSeconds + 15}s`;
        const variables = {
          ...selected,
          __rate_interval,
          __range: `${hours}h`,
          __range_s: `${hours * 3600}`,
        };
        const asked = listBoardExpressions(variables).filter(({ expression, filledBy }) => {
          const used = readQuery(expression).selectors.map(({ name }) => name);
          const isTold = used.every(name => names.has(name) && name !== reportedOnly);
          return filledBy === undefined && used.length > 0 && isTold;
        });
        expect(asked.length).toBeGreaterThan(50);
        const untilAt = installedAt - (hours > 48 ? 1 : 3) * dayMs;
        const range = { fromAt: untilAt - hours * 3_600_000, untilAt, stepSeconds };
        const found = await Promise.all(
          asked.map(async each => ({ ...each, series: await prometheus.queryRange(each.expression, range) })),
        );
        expect(found.filter(({ series }) => series.length === 0)).toEqual([]);
      },
    );

    async function valuesOf(expression: string, label: string): Promise<ReadonlyMap<string, number>> {
      const samples = await prometheus.query(expression, installedAt);
      return new Map(samples.map(({ labels, value }) => [labels[label] ?? '', value]));
    }

    test('endpoints started and were suspended as often in a day as they really were', async () => {
      const live = liveProjects(life.account).flatMap(liveEndpoints);
      const ids = new Set(live.map(({ id }) => id));
      for (const kind of ['starts', 'suspends'] as const) {
        const before = new Map(
          listEndpoints(dayBefore).map(endpoint => [endpoint.endpoint_id, endpoint[kind]]),
        );
        const expected = listEndpoints(truth)
          .filter(({ endpoint_id }) => ids.has(endpoint_id))
          .map(endpoint => {
            const { endpoint_id } = endpoint;
            return [endpoint_id, endpoint[kind] - (before.get(endpoint_id) ?? 0)] as const;
          });
        const found = await valuesOf(`round(increase(dbpm_endpoint_${kind}_total[1d]))`, 'endpoint_id');
        expect(found).toEqual(new Map(expected));
        expect(Math.max(...found.values())).toBeGreaterThan(5);
      }
    });

    test('projects of fixed sizes used as much compute in a day as they really did', async () => {
      const found = await valuesOf('increase(dbpm_project_cpu_used_seconds_total[1d])', 'project_id');
      const isFixed = ({ settings }: ReturnType<typeof liveEndpoints>[number]) =>
        settings.minCu === settings.maxCu;
      const fixed = liveProjects(life.account).filter(({ endpoints }) => endpoints.every(isFixed));
      expect(fixed.length).toBeGreaterThanOrEqual(3);
      for (const { id } of fixed) {
        const used = usedBy(truth, id) - usedBy(dayBefore, id);
        expect(Math.abs((found.get(id) ?? 0) - used)).toBeLessThan(1);
      }
    });
  },
);

function listEndpoints(truth: ReturnType<LivedHistory['truth']>) {
  return truth.projects.flatMap(({ endpoints }) => endpoints);
}

function usedBy(truth: ReturnType<LivedHistory['truth']>, id: string): number {
  return truth.projects.find(({ project_id }) => project_id === id)?.cpu_used_sec_ever ?? 0;
}
