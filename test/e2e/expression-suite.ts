import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Fault } from '../../dashboards/boards/fault.ts';
import { buildRuleGroups } from '../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../src/check/config/loaded-config.ts';
import { renderDemoConfig } from '../../src/daemon/demo/config.ts';
import type { SeriesMode } from '../../src/resources/family-selection.ts';
import { type BoardExpression, listBoardExpressions } from '../dashboards/board-expression.ts';
import { overwrite } from '../support/damaged-history.ts';
import { readSamples } from '../support/exposition-reader.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { firstProject, renderYesterday, type Stage, untilShown } from './drill-action.ts';
import { answerBranches, injections } from './expression-fault.ts';
import { serveMeter } from './metered-world.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

/** How long anything may take: far longer than a busy machine needs. */
const patienceMs = 120_000;
vi.setConfig({ testTimeout: 2 * patienceMs });

const expressions = listBoardExpressions();
const ruleFile = new URL('../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
const rules = buildRuleGroups(await loadCheckedRules({ flags: {}, env: {} })).flatMap(group => group.rules);
/** It stops the clock of the service, and nothing else can happen then. */
const last: Fault = 'endpoint in transition';
export const allFaults = [...(Object.keys(injections) as Fault[]).filter(fault => fault !== last), last];

/** Leaves a history that the daemon sets aside, as a panel shows how long ago that was. */
function leaveDamagedHistory(folder: string): void {
  using histories = new HistoryFolder();
  histories.close(histories.open());
  overwrite(histories.file, 100, 100);
  copyFileSync(histories.file, join(folder, 'history.sqlite'));
}

/** Weeks must pass until they have data: usage-expression.test.ts asks for them over a page of such weeks. */
const slow: readonly string[] = ['Branches without use'];

/** That of the demo with a price for storage, and a budget that is used up at whatever hour of the week the fleet is made. */
function renderConfig(): string {
  const { pricing, ...config } = JSON.parse(renderDemoConfig(Date.now(), 20)) as {
    readonly pricing: { readonly plans: readonly object[] };
    readonly budgets: readonly object[];
  };
  const budgets = [...config.budgets, { name: 'used up', account: 'demo', amount: '1', per: 'billing' }];
  const metered = [{ metric: 'root_branch_bytes_month', price: 1 }];
  const plans = pricing.plans.map(plan => ({ ...plan, metered }));
  return JSON.stringify({ ...config, budgets, pricing: { ...pricing, plans } });
}

interface ExpressionOptions {
  /** What happens; panels that wait for anything else are left out. */
  readonly faults: readonly Fault[];
  /** Tells expressions that have no data there by design. */
  isEmpty?(expression: BoardExpression): boolean;
}

/** Expressions of boards and rules on a page of this mode. */
export function describeExpressions(
  mode: SeriesMode,
  { faults, isEmpty = () => false }: ExpressionOptions,
): void {
  const title = `on a real Prometheus that scraped the fleet of the demo, ${mode}`;
  const always = expressions.filter(
    each =>
      each.filledBy === undefined &&
      !isEmpty(each) &&
      !slow.includes(each.panel) &&
      // The first backup is made an hour after the start.
      !each.expression.includes('history_backup'),
  );
  describeWithPeers(['prometheus', 'promtool'], title, peers => {
    let world: SimulatedWorld;
    let prometheus: Prometheus;
    let stage: Stage;

    beforeAll(async () => {
      world = await startWorld({ projects: 20, historyDays: 30, pendingInLists: true, showcase: true });
      const configFile = join(world.folder, 'demo.yaml');
      writeFileSync(configFile, renderConfig());
      const env = {
        DBPM_ACCOUNT_NAME: 'demo',
        DBPM_CONFIG_FILE: configFile,
        DBPM_COLLECT_IDLE_REFRESH: '1s',
        DBPM_USAGE_REFRESH: '1s',
        DBPM_COLLECT_CONSUMPTION: 'on',
        DBPM_SERIES_MODE: mode,
        DBPM_COLLECT_BRANCHES: 'on',
        DBPM_STANDBY: 'true',
      };
      leaveDamagedHistory(world.folder);
      await answerBranches(world);
      await serveMeter(world);
      const url = await world.startDaemon(env).untilServing();
      const direct: Stage = { world, scrape: () => readSamples(url) };
      await untilShown(direct, 'dbpm_collector_success', { collector: 'operations' });
      const { project_id } = await firstProject(direct);
      const past = { promtool: peers.promtool, openMetrics: renderYesterday(new URL(url).host, project_id) };
      prometheus = await startPrometheus(peers.prometheus, { dbpm: `${url}/metrics` }, { ruleFile, past });
      // What was there between two scrapes alone is not known to Prometheus: a project must be seen before it goes.
      stage = { world, scrape: () => prometheus.query('{job="dbpm"}') };
    });

    afterAll(async () => {
      await prometheus?.close();
      await world?.close();
    });

    async function untilFilled(expression: string, timeout = patienceMs): Promise<void> {
      await vi.waitFor(
        async () => {
          const values = (await prometheus.query(expression)).map(({ value }) => value);
          expect(
            values.filter(value => !Number.isNaN(value)),
            expression,
          ).not.toEqual([]);
        },
        { timeout, interval: 250 },
      );
    }

    test.each(always)('$board: "$panel" shows data', ({ expression }) => untilFilled(expression));

    test.each(expressions.filter(isEmpty))(
      '$board: "$panel" has nothing else to show',
      async ({ expression }) => {
        await expect(prometheus.query(expression)).resolves.toEqual([]);
      },
    );

    test.each(rules.filter(rule => 'alert' in rule))('$alert can be asked for', async ({ expr }) => {
      await expect(prometheus.query(expr)).resolves.toBeDefined();
    });

    test.each(faults)('"%s" fills the panels that wait for it', async fault => {
      const waiting = expressions.filter(each => each.filledBy === fault && !isEmpty(each));
      expect(waiting).not.toEqual([]);
      // Some faults show for a second only, and Prometheus may not scrape just then: they happen until it has.
      await vi.waitFor(
        async () => {
          await injections[fault](stage);
          await Promise.all(waiting.map(({ expression }) => untilFilled(expression, 20_000)));
        },
        { timeout: patienceMs, interval: 250 },
      );
    });

    test.each(rules.filter(rule => 'record' in rule))('$record is recorded', ({ record }) =>
      untilFilled(record),
    );
  });
}
