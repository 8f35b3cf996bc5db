import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Gauge, Registry } from 'prom-client';
import type { AccountSummary } from '../../../src/resources/account.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import type { Family } from '../../../src/resources/family.ts';
import type { ProjectView } from '../../../src/resources/project.ts';
import { subjectsOf } from '../../support/page-reference.ts';
import { ViewFleet } from '../fleet/view-fleet.ts';
import { serveTasks } from '../process/child.ts';

interface ServedFleet {
  readonly projects: number;
  readonly changedShare: number;
}

const cycleSeconds = 15;
const compress = promisify(gzip);

/** The same series kept in prom-client, rendered and compressed at every scrape, as its examples do. */
async function start({ projects, changedShare }: ServedFleet): Promise<string> {
  const fleet = new ViewFleet(projects);
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  const { projects: known, ...summary } = fleet.view();
  setSamples([summary], known, registry, gauges);
  setInterval(() => {
    setSamples([], fleet.change(changedShare / cycleSeconds), registry, gauges);
  }, 1000).unref();
  const server = createServer(async (_request, response) => {
    const body = await compress(await registry.metrics());
    response.setHeader('content-type', registry.contentType);
    response.setHeader('content-encoding', 'gzip');
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/metrics`;
}

function setSamples(
  accounts: readonly AccountSummary[],
  projects: readonly ProjectView[],
  registry: Registry,
  gauges: Map<string, Gauge>,
): void {
  for (const group of catalog) {
    for (const subject of subjectsOf(group, { accounts, projects })) {
      const scope = group.labelValues(subject);
      for (const family of Object.values(group.families)) {
        if (family.type === 'histogram') continue;
        const gauge = gaugeOf(family, registry, gauges);
        family.sample(subject, (value, ...own) => {
          if (value !== undefined) gauge.labels(...scope, ...own).set(value);
        });
      }
    }
  }
}

function gaugeOf(
  { name, help, labels }: Family<unknown>,
  registry: Registry,
  gauges: Map<string, Gauge>,
): Gauge {
  const known = gauges.get(name);
  if (known !== undefined) return known;
  const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  gauges.set(name, gauge);
  return gauge;
}

const residentBytes = () => process.memoryUsage.rss();

const tasks = { start, residentBytes };
export type PromClientTasks = typeof tasks;

serveTasks(tasks);
