import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HttpServer } from '../../src/http/server.ts';
import { PageSet } from '../../src/metrics/page/page-set.ts';
import { Publication } from '../../src/metrics/publication/publication.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { fleetProject } from '../support/fleet-view.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { bareAccount } from '../support/view-builder.ts';

const projects = 10_000;
const scrapeSeconds = 6;
const patience = { timeout: 40_000, interval: 500 };

describeWithPeers(
  ['prometheus'],
  'a Prometheus that scrapes ten thousand projects',
  ({ prometheus: binary }) => {
    const pages = new PageSet(catalog);
    const publication = new Publication({
      assemble: async format => pages.assemble(format),
      recycle: memory => pages.recycle(memory),
      now: () => 0,
    });
    let http: HttpServer;
    let prometheus: Prometheus;
    let published = 0;

    const publish = () => {
      const edition = pages.render();
      published = edition.series;
      publication.publish({ ...edition, publishedAt: 0, durationMs: 0, pages: [] });
    };
    const queryValue = async (expression: string) => (await prometheus.query(expression))[0]?.value;

    beforeAll(async () => {
      pages.putAccount('main', { ...bareAccount, up: true });
      for (let index = 0; index < projects; index += 1) {
        const project = fleetProject(index);
        pages.putProject('main', project.project_id, project);
      }
      publish();
      http = await HttpServer.start({
        listen: [{ host: '127.0.0.1', port: 0 }],
        telemetryPath: '/metrics',
        renderMetrics: (format, gzip) =>
          publication.read(format, gzip, format === 'openmetrics' ? '# EOF\n' : ''),
        renderLandingPage: () => '',
        isReady: () => true,
        onError: error => {
          throw error;
        },
      });
      prometheus = await startPrometheus(binary, { fleet: `${http.url}/metrics` }, { scrapeSeconds });
    });

    afterAll(async () => {
      await prometheus?.close();
      await http?.close();
    });

    test('stores all of its series, and takes no longer than it may', async () => {
      expect(published).toBeGreaterThan(200_000);
      await vi.waitFor(async () => {
        expect(await queryValue('count({__name__=~"dbpm_.+"})')).toBe(published);
      }, patience);
      const targets = await prometheus.targets();
      expect(targets.map(({ health, lastError }) => [health, lastError])).toEqual([['up', '']]);
      expect(await queryValue('scrape_samples_scraped')).toBe(published);
      expect(await queryValue('max_over_time(scrape_duration_seconds[1m])')).toBeLessThan(scrapeSeconds);
    });

    test('reads what changed since, in the projects that changed and in no other', async () => {
      const sum = 'sum(dbpm_project_cpu_used_reported_seconds)';
      const before = (projects * (projects - 1)) / 2;
      expect(await queryValue(sum)).toBe(before);
      for (let index = 0; index < projects; index += 20) {
        const project = fleetProject(index, 1);
        pages.putProject('main', project.project_id, project);
      }
      publish();
      await vi.waitFor(async () => expect(await queryValue(sum)).toBe(before + 500 * 30), patience);
      expect(await queryValue('count({__name__=~"dbpm_.+"})')).toBe(published);
    });
  },
);
