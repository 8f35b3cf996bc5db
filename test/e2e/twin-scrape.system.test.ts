import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { startVictoriaMetrics } from '../support/victoria-metrics.ts';
import type { Gateway } from './fault/gateway.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';
import { samplesOf, startTwin, untilTrue } from './twin.ts';

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
  });

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
    }, patience);
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
    }, patience);
  });
});
