import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listBoardExpressions } from '../../dashboards/boards/expression.ts';
import type { Fault } from '../../dashboards/boards/fault.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { type Stage, scrape, untilShown } from './drill-action.ts';
import { injections } from './expression-fault.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

const patience = { timeout: 30_000, interval: 250 };
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const expressions = listBoardExpressions();
const always = expressions.filter(({ filledBy }) => filledBy === undefined);
/** The last one stops the clock of the service, and nothing else can happen then. */
const last: Fault = 'endpoint in transition';
const faults = (Object.keys(injections) as Fault[]).filter(fault => fault !== last);

describeWithPeers(['prometheus'], 'on a real Prometheus that scraped the fleet of the demo', peers => {
  let world: SimulatedWorld;
  let prometheus: Prometheus;
  let stage: Stage;

  beforeAll(async () => {
    world = await startWorld({ projects: 20, historyDays: 30, pendingInLists: true });
    const url = await world.startDaemon({ DBPM_COLLECT_IDLE_REFRESH: '1s' }).untilServing();
    stage = { world, scrape: () => scrape(url) };
    await untilShown(stage, 'dbpm_collector_success', { collector: 'operations' });
    prometheus = await startPrometheus(peers.prometheus, { dbpm: `${url}/metrics` });
  });

  afterAll(async () => {
    await prometheus?.close();
    await world?.close();
  });

  async function untilFilled(expression: string): Promise<void> {
    await vi.waitFor(async () => {
      const values = (await prometheus.query(expression)).map(({ value }) => value);
      expect(
        values.filter(value => !Number.isNaN(value)),
        expression,
      ).not.toEqual([]);
    }, patience);
  }

  test.each(always)('$board: "$panel" shows data', ({ expression }) => untilFilled(expression));

  test.each([...faults, last])('"%s" fills the panels that wait for it', async fault => {
    await injections[fault](stage);
    const waiting = expressions.filter(({ filledBy }) => filledBy === fault);
    expect(waiting).not.toEqual([]);
    await Promise.all(waiting.map(({ expression }) => untilFilled(expression)));
  });
});
