import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HttpServer } from '../../../src/http/server.ts';
import { SelfMetrics } from '../../../src/metrics/self/self-metrics.ts';
import { FleetPage } from '../fleet/fleet-page.ts';
import { ViewFleet } from '../fleet/view-fleet.ts';
import { serveTasks } from '../process/child.ts';

interface ServedFleet {
  readonly projects: number;
  /** Of all projects that change within a cycle. */
  readonly changedShare: number;
}

const cycleSeconds = 15;
const changePauseMs = 1000;

/** The daemon's page and server over a fleet. A share of it changes or does not. */
class ServedPage {
  readonly #fleet: ViewFleet;
  readonly #page: FleetPage;
  readonly #changedShare: number;
  #resting: AbortController | undefined;
  #changing: Promise<void> | undefined;

  constructor({ projects, changedShare }: ServedFleet) {
    this.#fleet = new ViewFleet(projects);
    this.#page = new FleetPage(this.#fleet);
    this.#changedShare = changedShare / cycleSeconds;
  }

  /** Publishes all of it and serves it; gives the page's address. */
  async serve(): Promise<string> {
    const self = new SelfMetrics({
      version: 'bench',
      revision: '',
      read: {
        historySizeBytes: () => 0,
        budgets: () => [],
        pauses: () => [],
        stalled: () => [],
        pressures: () => [],
        loopDelay: () => ({ p99Seconds: 0, maxSeconds: 0 }),
        lastPage: () => undefined,
      },
    });
    this.#page.publish();
    const server = await HttpServer.start({
      listen: [{ host: '127.0.0.1', port: 0 }],
      telemetryPath: '/metrics',
      renderMetrics: async (format, gzip) => this.#page.read(format, gzip, await self.render(format)),
      renderLandingPage: () => '',
      isReady: () => true,
      onError: console.error,
    });
    return `${server.url}/metrics`;
  }

  change(): void {
    this.#resting = new AbortController();
    this.#changing = this.#keepChanging(this.#resting.signal);
  }

  /** Settles when nothing is being published any more. */
  async rest(): Promise<void> {
    this.#resting?.abort();
    await this.#changing;
  }

  /** A change every second, though the next only when the last is published and as long again has passed. */
  async #keepChanging(resting: AbortSignal): Promise<void> {
    while (!resting.aborted) {
      const startedAt = performance.now();
      this.#page.publish(this.#fleet.change(this.#changedShare));
      const publishedMs = performance.now() - startedAt;
      await sleep(Math.max(publishedMs, changePauseMs - publishedMs), undefined, { signal: resting }).catch(
        () => {},
      );
    }
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
let served: ServedPage | undefined;

const tasks = {
  /** Gives the page's address. */
  async start(fleet: ServedFleet): Promise<string> {
    served = new ServedPage(fleet);
    return served.serve();
  },
  change: () => served?.change(),
  rest: () => served?.rest(),
  residentBytes: () => process.memoryUsage.rss(),
  /** What is not garbage. */
  heldBytes() {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};
export type ExporterTasks = typeof tasks;

serveTasks(tasks);
