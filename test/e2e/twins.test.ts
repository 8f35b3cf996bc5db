import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../src/simulator/model/random.ts';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { readExposition, type Sample } from '../support/exposition-reader.ts';
import { describeWithPeers } from '../support/peer.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { differences } from '../support/truth.ts';
import { startVictoriaMetrics } from '../support/victoria-metrics.ts';
import { type Gateway, startGateway } from './fault/gateway.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';
import { createDriver, liveProjects } from './world-driver.ts';

vi.setConfig({ testTimeout: 240_000 });

const rounds = 8;
/** States are read between operations: the one an endpoint is in goes on while the next reading is waited for. */
const stateToleranceSeconds = 60;
const lastingCounter = /^dbpm_(?!exporter_).*(?:_total|_count|_bucket|_sum)$/;

/** Counters of which twins may say something else, by how much; each counts its own failures. */
const mayDiffer: Readonly<Record<string, number>> = {
  dbpm_endpoint_state_seconds_total: stateToleranceSeconds,
  dbpm_collector_errors_total: Number.POSITIVE_INFINITY,
};

/** A daemon with a history of its own, and the way by which it alone reaches the service. */
interface Twin {
  readonly gateway: Gateway;
  readonly start: () => DaemonProcess;
  daemon: DaemonProcess;
}

async function startTwin(world: SimulatedWorld, name: string): Promise<Twin> {
  const gateway = await startGateway({ service: world.simulator.base_url });
  const env = {
    DBPM_HISTORY_FILE: join(world.folder, `${name}.sqlite`),
    DBPM_BASE_URL: gateway.base_url,
  };
  const start = () => world.startDaemon(env);
  return { gateway, start, daemon: start() };
}

async function samplesOf({ daemon }: Twin): Promise<readonly Sample[]> {
  return readExposition(await (await fetch(`${await daemon.untilServing()}/metrics`)).text());
}

/** Until a twin shows all that ever happened; the world stands still. */
async function untilTrue(world: SimulatedWorld, twin: Twin): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(differences(await world.truth(), await samplesOf(twin), stateToleranceSeconds)).toEqual([]),
    { timeout: 60_000, interval: 250 },
  );
}

/** Counters of which two pages say something else, by name, with how far they are apart at most. */
function apart(one: readonly Sample[], other: readonly Sample[]): ReadonlyMap<string, number> {
  const counters = (samples: readonly Sample[]) =>
    new Map(
      samples
        .filter(({ name }) => lastingCounter.test(name))
        .map(sample => [sample.name + JSON.stringify(sample.labels), sample]),
    );
  const [left, right] = [counters(one), counters(other)];
  const found = new Map<string, number>();
  for (const series of new Set([...left.keys(), ...right.keys()])) {
    const { name = '' } = left.get(series) ?? right.get(series) ?? {};
    const distance = Math.abs((left.get(series)?.value ?? 0) - (right.get(series)?.value ?? 0));
    if (distance > 0) found.set(name, Math.max(distance, found.get(name) ?? 0));
  }
  return found;
}

test('two daemons that never speak to each other say the same of every operation, through kills and partitions', async () => {
  const world = await startWorld({ projects: 4, historyDays: 2 });
  onTestFinished(() => world.close());
  const random = createRandom('twins');
  const change = createDriver(world, createRandom('what twins see'));
  const first = await startTwin(world, 'first');
  await first.daemon.untilServing();
  for (let done = 0; done < 4; done += 1) await change();
  const second = await startTwin(world, 'second');
  await second.daemon.untilServing();
  const twins = [first, second] as const;
  onTestFinished(async () => void (await Promise.all(twins.map(({ gateway }) => gateway.close()))));
  for (let round = 0; round < rounds; round += 1) {
    const twin = random.pick(twins);
    await (random.chance(0.5) ? killMeanwhile(twin, change) : partitionMeanwhile(twin, change));
  }
  world.freeze();
  for (const twin of twins) await untilTrue(world, twin);
  const settled = apart(await samplesOf(first), await samplesOf(second));
  expect([...settled].filter(([name, distance]) => distance > (mayDiffer[name] ?? 0))).toEqual([]);

  // A billing reset, and use before it that one of them did not see: that is lost to the other one for ever.
  const [project] = await liveProjects(world);
  if (project === undefined) throw new Error('no project is left');
  const { project_id, cpu_used_sec } = project;
  const before = await cpuOf(twins, project_id);
  await second.gateway.refuse();
  const unseen = 500;
  await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: cpu_used_sec + unseen });
  await vi.waitFor(
    async () => expect((await cpuOf([first], project_id))[0]).toBe((before[0] ?? 0) + unseen),
    30_000,
  );
  await world.call('POST', `/projects/${project_id}/cpu`, { cpu_used_sec: 7 });
  await second.gateway.accept();
  await vi.waitFor(async () => {
    const [one = 0, other = 0] = await cpuOf(twins, project_id);
    expect([one, other]).toEqual([(before[0] ?? 0) + unseen + 7, (before[1] ?? 0) + 7]);
  }, 30_000);
});

describeWithPeers(['prometheus', 'victoria-metrics'], 'where both twins are scraped', peers => {
  let world: SimulatedWorld;
  let urls: readonly string[] = [];
  let expected = 0;

  beforeAll(async () => {
    world = await startWorld({ projects: 3, historyDays: 2 });
    const twins = await Promise.all([startTwin(world, 'first'), startTwin(world, 'second')]);
    gateways.push(...twins.map(({ gateway }) => gateway));
    urls = await Promise.all(twins.map(({ daemon }) => daemon.untilServing()));
    world.freeze();
    for (const twin of twins) await untilTrue(world, twin);
    const samples = await Promise.all(twins.map(samplesOf));
    const sums = samples.map(each =>
      each.filter(({ name }) => name === 'dbpm_operations_total').reduce((sum, { value }) => sum + value, 0),
    );
    expect(sums[0]).toBe(sums[1]);
    expected = sums[0] ?? 0;
    expect(expected).toBeGreaterThan(0);
  }, 90_000);

  const gateways: Gateway[] = [];
  afterAll(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()));
    await world?.close();
  });

  test('Prometheus takes the higher one of two series, by the query of the page', async () => {
    const [one = '', other = ''] = urls;
    const prometheus = await startPrometheus(peers.prometheus, {
      one: `${one}/metrics`,
      other: `${other}/metrics`,
    });
    onTestFinished(() => prometheus.close());
    await vi.waitFor(async () => {
      const [both] = await prometheus.query('sum(dbpm_operations_total)');
      expect(both?.value).toBe(2 * expected);
      const [once] = await prometheus.query('sum(max without (job, instance) (dbpm_operations_total))');
      expect(once?.value).toBe(expected);
    }, 30_000);
  });

  test('VictoriaMetrics keeps one of two samples, by -dedup.minScrapeInterval', async () => {
    const config = join(world.folder, 'scrape.json');
    const targets = urls.map(url => new URL(url).host);
    const job = {
      job_name: 'dbpm',
      scrape_interval: '1s',
      static_configs: [{ targets, labels: { instance: 'dbpm' } }],
    };
    writeFileSync(config, JSON.stringify({ scrape_configs: [job] }));
    const flags = ['-dedup.minScrapeInterval=1s', '-search.latencyOffset=0s', `-promscrape.config=${config}`];
    const victoria = await startVictoriaMetrics(peers['victoria-metrics'], flags);
    onTestFinished(() => victoria.close());
    // Both would be there of a whole window of the query.
    await pause(12_000);
    await vi.waitFor(async () => {
      await victoria.flush();
      expect(await victoria.query('sum(dbpm_operations_total)')).toEqual([expected]);
      const [kept = 0] = await victoria.query('max(count_over_time(dbpm_operations_total[10s]))');
      expect(kept).toBeGreaterThanOrEqual(8);
      expect(kept).toBeLessThanOrEqual(11);
    }, 30_000);
  });
});

const cpuOf = (twins: readonly Twin[], project_id: string) =>
  Promise.all(
    twins.map(
      async twin =>
        (await samplesOf(twin)).find(
          ({ name, labels }) =>
            name === 'dbpm_project_cpu_used_seconds_total' && labels.project_id === project_id,
        )?.value,
    ),
  );

async function killMeanwhile(twin: Twin, change: () => Promise<void>): Promise<void> {
  await twin.daemon.stop('SIGKILL');
  for (let done = 0; done < 3; done += 1) await change();
  twin.daemon = twin.start();
  await twin.daemon.untilServing();
}

async function partitionMeanwhile({ gateway }: Twin, change: () => Promise<void>): Promise<void> {
  await gateway.refuse();
  for (let done = 0; done < 3; done += 1) {
    await change();
    await pause(300);
  }
  await gateway.accept();
  await pause(500);
}
