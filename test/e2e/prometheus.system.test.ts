import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { differences } from '../support/truth.ts';
import { type SimulatedWorld, startWorld } from './simulated-world.ts';

/** Those the page of the boards begins with. */
const readme = readFileSync(new URL('../../dashboards/README.md', import.meta.url), 'utf8');
const queries = [...readme.matchAll(/```promql\n([\s\S]*?)```/g)].map(([, query = '']) => query.trim());

interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
}

describeWithPeers(['prometheus', 'promtool'], 'a real Prometheus', ({ prometheus: binary, promtool }) => {
  let world: SimulatedWorld;
  let textProxy: Awaited<ReturnType<typeof startTextProxy>>;
  let prometheus: Prometheus;
  let url: string;

  beforeAll(async () => {
    world = await startWorld({ projects: 12, historyDays: 3 });
    world.freeze();
    const [project] = (await world.truth()).projects;
    const failed = { project_id: project?.project_id, action: 'apply_config', status: 'failed' };
    await world.call('POST', '/operations', failed);
    url = await world.startDaemon().untilServing();
    textProxy = await startTextProxy(url);
    prometheus = await startPrometheus(binary, {
      openmetrics: `${url}/metrics`,
      text: `${textProxy.url}/metrics`,
    });
  });

  afterAll(async () => {
    await prometheus?.close();
    await textProxy?.close();
    await world?.close();
  });

  test('finds the target healthy in both formats', async () => {
    await vi.waitFor(async () => {
      const targets = await prometheus.targets();
      const states = targets.map(({ labels, health, lastError }) => [labels.job, health, lastError]);
      expect(states.sort()).toEqual([
        ['openmetrics', 'up', ''],
        ['text', 'up', ''],
      ]);
    }, patience);
    expect(textProxy.contentTypes()).toEqual(['text/plain; version=0.0.4; charset=utf-8']);
  });

  test('knows every metric by the type it is declared with', async () => {
    // What only later versions of the service tell of, or only a fault, is not on this page at all.
    const polled = catalog.flatMap(group => Object.values<MetricFamily>(group.families));
    const all: readonly MetricFamily[] = [...polled, ...Object.values<MetricFamily>(selfFamilies)];
    const declared = all
      .filter(({ isOptional }) => isOptional !== true)
      .map(({ name, type }) => [name, type] as const);
    await vi.waitFor(async () => {
      const types = await prometheus.types('text');
      expect(declared.map(([name]) => [name, types.get(name)])).toEqual(declared);
    }, patience);
    const familyName = (name: string, type: string) =>
      type === 'counter' ? name.replace(/_total$/, '') : name;
    // Each job scrapes at its own moments.
    await vi.waitFor(async () => {
      const types = await prometheus.types('openmetrics');
      expect(declared.map(([name, type]) => [name, types.get(familyName(name, type))])).toEqual(declared);
    }, patience);
  });

  test.each(['openmetrics', 'text'])('reads from %s what the simulator counted itself', async job => {
    await vi.waitFor(async () => {
      const samples = await prometheus.query(`{job="${job}", __name__=~"dbpm_.+"}`);
      expect(differences(await world.truth(), samples, 0)).toEqual([]);
    }, patience);
  });

  test('reads what the simulator counted after twelve busy hours', async () => {
    await world.call('POST', '/advance', { seconds: 12 * 3600 });
    await vi.waitFor(async () => {
      const samples = await prometheus.query('{job="openmetrics", __name__=~"dbpm_.+"}');
      expect(differences(await world.truth(), samples, 0)).toEqual([]);
    }, patience);
  });

  test.each(queries)('has an answer to %s', async query => {
    await vi.waitFor(async () => expect(await prometheus.query(query)).not.toEqual([]), patience);
  });

  test('is given a page without a fault that promtool knows', async () => {
    const page = await (await fetch(`${url}/metrics`)).text();
    const check = spawn(promtool, ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const said = Promise.all([text(check.stdout), text(check.stderr)]);
    check.stdin.end(page);
    const [code] = await once(check, 'close');
    expect([code, (await said).join('')]).toEqual([0, '']);
  });

  test('reads names with quotes, line breaks, emoji, NUL, lone surrogates and ten thousand letters', async () => {
    const names = [
      'quote " and backslash \\ and \\n that is none',
      'two\nlines\r\nand a tab\t',
      'elephant 🐘 é',
      'nothing \u0000 at all',
      'half \ud83d a pair',
      '{evil="label"} 1\n# EOF',
      'x'.repeat(10_000),
    ];
    for (const name of names) await world.call('POST', '/projects', { name });
    for (const job of ['openmetrics', 'text']) {
      await vi.waitFor(async () => {
        const samples = await prometheus.query(`dbpm_project_info{job="${job}"}`);
        const shown = samples.map(({ labels }) => labels.project_name);
        expect(shown).toEqual(expect.arrayContaining(names.map(name => name.toWellFormed())));
      }, patience);
    }
    // On a busy machine a single scrape may have taken too long.
    await vi.waitFor(async () => {
      const health = (await prometheus.targets()).map(({ health, lastError }) => `${health} ${lastError}`);
      expect(health).toEqual(['up ', 'up ']);
    }, patience);
  });
});

/** Passes scrapes on without the wish for OpenMetrics, which every Prometheus of today has. */
async function startTextProxy(target: string) {
  const contentTypes = new Set<string | null>();
  const server = createServer(async (request, response) => {
    try {
      const answer = await fetch(target + request.url, { headers: { accept: 'text/plain;version=0.0.4' } });
      const contentType = answer.headers.get('content-type');
      contentTypes.add(contentType);
      response.writeHead(answer.status, { 'content-type': contentType ?? '' }).end(await answer.text());
    } catch {
      // A scrape may be under way when the daemon ends; a failure before that makes the target unhealthy.
      response.destroy();
    }
  });
  return { ...(await listenOnLoopback(server)), contentTypes: () => [...contentTypes] };
}
