import { setTimeout as sleep } from 'node:timers/promises';
import { HttpServer } from '../../../src/http/server.ts';
import { SelfMetrics } from '../../../src/metrics/self.ts';
import { FleetPage } from '../fleet/fleet-page.ts';
import { ViewFleet } from '../fleet/view-fleet.ts';
import { serveTasks } from '../process/task.ts';

interface ServedFleet {
  readonly projects: number;
  /** Of all projects that change within a cycle. */
  readonly changedShare: number;
}

const cycleSeconds = 15;

/** The daemon's page and server over a fleet of which a share changes all the time; gives the page's address. */
async function start({ projects, changedShare }: ServedFleet): Promise<string> {
  const fleet = new ViewFleet(projects);
  const page = new FleetPage(fleet);
  const self = new SelfMetrics({
    version: 'bench',
    revision: '',
    readHistorySizeBytes: () => 0,
    readBudgets: () => [],
  });
  await page.publish();
  const server = await HttpServer.start({
    listenAddress: { host: '127.0.0.1', port: 0 },
    telemetryPath: '/metrics',
    renderMetrics: async (format, gzip) => page.read(format, gzip, await self.render(format)),
    renderLandingPage: () => '',
    isReady: () => true,
    onError: console.error,
  });
  void keepChanging(fleet, page, changedShare / cycleSeconds);
  return `${server.url}/metrics`;
}

/** A change every second, though the next only when the last is published and as long again has passed. */
async function keepChanging(fleet: ViewFleet, page: FleetPage, share: number): Promise<never> {
  for (;;) {
    const startedAt = performance.now();
    await page.publish(fleet.change(share));
    await sleep(Math.max(1000, performance.now() - startedAt));
  }
}

const tasks = { start };
export type ExporterTasks = typeof tasks;

serveTasks(tasks);
