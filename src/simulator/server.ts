import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { controlRoutes } from './control-route.ts';
import { createFaults } from './faults.ts';
import type { Account } from './model/account.ts';
import type { Plan } from './model/blueprint.ts';
import { createFleet } from './model/fleet.ts';
import { createRateLimit } from './rate-limit.ts';
import { handleRequest } from './request-handler.ts';
import { serviceRoutes } from './service-route.ts';

export interface SimulatorOptions {
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** 0, any free one, by default. */
  readonly port?: number | undefined;
  /** The first key of the account. */
  readonly apiKey: string;
  /** Projects that exist at the start; 50 by default. */
  readonly projects?: number | undefined;
  /** Same seed, same fleet; 1 by default. */
  readonly seed?: number | undefined;
  /** 30 by default. */
  readonly historyDays?: number | undefined;
  /** Requests a minute before 429; unlimited by default. */
  readonly rateLimitPerMinute?: number | undefined;
  readonly latencyMs?: number | undefined;
  /** Pages GET /projects, as seen on live services: so many without `limit`. */
  readonly pageProjects?: number | undefined;
  /** Shows `pending_state` in lists while there is one, as seen on live services. */
  readonly pendingInLists?: boolean | undefined;
  readonly plan?: Plan | undefined;
  /** Epoch milliseconds; the virtual clock is this plus what it was advanced by. */
  readonly wallClock?: (() => number) | undefined;
}

export interface Simulator {
  /** With the version segment and a last slash. */
  readonly base_url: string;
  readonly api_key: string;
  /** Root of the control calls, `http://…/_sim`. */
  readonly control_url: string;
  /** The model, for tests that look behind the interface. Call `advance(0)` first to let all happen that is due. */
  readonly account: Account;
  /** Moves the virtual clock forward; everything due in between happens. */
  advance(seconds: number): void;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Longer than clients pause between polls, as in front of live services: reused connections do not run into a close. */
const keepAliveMs = 75_000;

/** Starts the simulated service with its history in memory. Rejects with the system's error if it cannot listen. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const wallClock = options.wallClock ?? Date.now;
  const account = createFleet({
    seed: options.seed ?? 1,
    projects: options.projects ?? 50,
    historyDays: options.historyDays ?? 30,
    apiKey: options.apiKey,
    plan: options.plan ?? 'paid',
    now: Math.floor(wallClock() / 1000),
  });
  let offsetMs = 0;
  const catchUp = (): void => account.timeline.advanceTo(Math.floor((wallClock() + offsetMs) / 1000));
  const advance = (seconds: number): void => {
    offsetMs += seconds * 1000;
    catchUp();
  };
  const faults = createFaults();
  const closing = new AbortController();
  const handlerOptions = {
    account,
    faults,
    serviceRoutes: serviceRoutes(account, {
      pageProjects: options.pageProjects,
      pendingInLists: options.pendingInLists ?? false,
    }),
    controlRoutes: controlRoutes({ account, faults, advance }),
    catchUp,
    limitRate: createRateLimit(options.rateLimitPerMinute, wallClock),
    latencyMs: options.latencyMs ?? 0,
    closed: closing.signal,
  };
  const server = createServer((request, response) => void handleRequest(handlerOptions, request, response));
  server.keepAliveTimeout = keepAliveMs;
  const host = options.host ?? '127.0.0.1';
  const { port } = await listen(server, host, options.port ?? 0);
  const root = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    base_url: `${root}/api/v2/`,
    api_key: options.apiKey,
    control_url: `${root}/_sim`,
    account,
    advance,
    async close() {
      closing.abort();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
