import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

const patience = { timeout: 30_000, interval: 250 };

const readme = readFileSync(new URL('../../dashboards/README.md', import.meta.url), 'utf8');
const queries = [...readme.matchAll(/```promql\n([\s\S]*?)```/g)].map(([, query = '']) => query.trim());

describeWithPeers(['prometheus'], 'the queries to begin with', ({ prometheus: binary }) => {
  let world: SimulatedWorld;
  let prometheus: Prometheus;

  beforeAll(async () => {
    world = await startWorld({ projects: 8, historyDays: 3 });
    const [project] = (await world.truth()).projects;
    const { project_id } = project ?? {};
    await world.call('POST', '/operations', { project_id, action: 'apply_config', status: 'failed' });
    const url = await world.startDaemon().untilServing();
    prometheus = await startPrometheus(binary, { demo: `${url}/metrics` });
  });

  afterAll(async () => {
    await prometheus?.close();
    await world?.close();
  });

  test.each(queries)('%s', async query => {
    await vi.waitFor(async () => expect(await prometheus.query(query)).not.toEqual([]), patience);
  });
});
