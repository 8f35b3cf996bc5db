import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { controlRoutes } from './control-route.ts';
import { createFaults } from './faults.ts';
import { liveProjects, type SimulatedAccount } from './model/account.ts';
import type { SimulatedPlan } from './model/blueprint.ts';
import { createFleet, type FleetOptions } from './model/fleet.ts';
import type { LaterTerms } from './model/later/later-account.ts';
import { createRateLimit, createTokenBucket } from './rate-limit.ts';
import { type HandlerOptions, handleRequest } from './request-handler.ts';
import { serviceRoutes } from './service-route.ts';

export interface SimulatorOptions extends LaterOptions {
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0, any free one, by default. */
  readonly port?: number;
  /** The first key of the account. */
  readonly apiKey: string;
  /** Projects that exist at the start; 50 by default. */
  readonly projects?: number;
  /** Same seed, same fleet; 1 by default. */
  readonly seed?: number;
  /** 30 by default. */
  readonly historyDays?: number;
  /** Requests a minute before 429; unlimited by default. */
  readonly rateLimitPerMinute?: number;
  readonly latencyMs?: number;
  /** Projects on a page of GET /projects without `limit`, as seen on live services. */
  readonly pageProjects?: number;
  /** Shows `pending_state` in lists while there is one, as seen on live services. */
  readonly pendingInLists?: boolean;
  readonly plan?: SimulatedPlan;
  /** Adds projects that each use compute for another reason worth finding; the others stay as they are. */
  readonly showcase?: boolean;
  /** Adds a project whose endpoint suspends since three weeks ago, one with an incident some hours ago, and a new one. */
  readonly stories?: boolean;
  /** Whether clients come at any hour of any day. */
  readonly aroundTheClock?: boolean;
  /** Which version is served: that of the specification, or a later one. `contract` by default. */
  readonly api?: 'contract' | 'later';
  /** Epoch milliseconds; the virtual clock is this plus what it was advanced by. */
  readonly wallClock?: () => number;
  /** Called while the history is made, with the share that is, up to 1. */
  readonly onProgress?: (share: number) => void;
  /** Ends the start: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Simulator {
  /** With the version segment and a last slash. */
  readonly base_url: string;
  readonly api_key: string;
  /** Root of the control calls, `http://…/_sim`. */
  readonly control_url: string;
  /** Projects at the start. */
  readonly projects: number;
  /** The model, for tests that look behind the interface. Call `advance(0)` first to let all happen that is due. */
  readonly account: SimulatedAccount;
  /** Moves the virtual clock forward; everything due in between happens. */
  advance(seconds: number): void;
  /** Takes no more requests, gives the answers under way `graceMs`, none by default, and cuts all connections. */
  close(graceMs?: number): Promise<void>;
}

const defaultFleet = { seed: 1, projects: 50, historyDays: 30, plan: 'paid' } as const;

/**
 * Longer than clients pause between polls, as in front of live services: reused connections do not run into a close.
 */
const keepAliveMs = 75_000;

/**
 * Starts the simulated service with its history in memory. It listens before it makes the history, so that it rejects
 * at once with the system's error if it cannot; requests wait meanwhile.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0 } = options;
  const ready = Promise.withResolvers<RequestListener>();
  const openResponses = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    void ready.promise.then(handle => handle(request, response));
  });
  server.keepAliveTimeout = keepAliveMs;
  const root = await listen(server, host, port);
  const closing = new AbortController();
  const close = async (graceMs = 0): Promise<void> => {
    for (const response of openResponses) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
    const closed = new Promise<void>(resolve => server.close(() => resolve()));
    if (graceMs > 0) await Promise.race([closed, wait(graceMs, undefined, { ref: false })]);
    closing.abort();
    server.closeAllConnections();
    await closed;
  };
  try {
    const { account, advance, handle } = await makeService(options, closing.signal);
    ready.resolve(handle);
    const urls = { base_url: `${root}/api/v2/`, control_url: `${root}/_sim` };
    const projects = liveProjects(account).length;
    return { ...urls, api_key: options.apiKey, projects, account, advance, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The simulated service without a socket: its model, and what answers a request. */
export interface SimulatedService extends Pick<Simulator, 'account' | 'advance'> {
  readonly handle: RequestListener;
}

/** Makes the service with its history in memory. Nothing listens. @param closed ends all waiting of its answers. */
export async function makeService(options: SimulatorOptions, closed: AbortSignal): Promise<SimulatedService> {
  const account = await makeFleet(options);
  const { advance, ...handlerOptions } = createHandlerOptions(options, account, closed);
  return {
    account,
    advance,
    handle: (request, response) => void handleRequest(handlerOptions, request, response),
  };
}

/** Makes the fleet hour by hour, so that signals are heard meanwhile. */
async function makeFleet(options: SimulatorOptions): Promise<SimulatedAccount> {
  const { wallClock = Date.now, onProgress, signal } = options;
  const fleet: FleetOptions = {
    ...defaultFleet,
    ...options,
    now: Math.floor(wallClock() / 1000),
    ...(options.api === 'later' && { later: laterTermsOf(options) }),
  };
  const account = createFleet(fleet);
  const hours = fleet.historyDays * 24;
  for (let hoursMade = 0; hoursMade < hours; hoursMade += 1) {
    account.timeline.advanceTo(fleet.now - Math.floor((hours - hoursMade) * 3600));
    onProgress?.(hoursMade / hours);
    await turn();
    signal?.throwIfAborted();
  }
  account.timeline.advanceTo(fleet.now);
  return account;
}

function createHandlerOptions(
  options: SimulatorOptions,
  account: SimulatedAccount,
  closed: AbortSignal,
): HandlerOptions & Pick<Simulator, 'advance'> {
  const { wallClock = Date.now, pageProjects, pendingInLists = false, latencyMs = 0 } = options;
  let offsetMs = 0;
  const catchUp = (): void => account.timeline.advanceTo(Math.floor((wallClock() + offsetMs) / 1000));
  const advance = (seconds: number): void => {
    offsetMs += seconds * 1000;
    catchUp();
  };
  const faults = createFaults();
  return {
    account,
    faults,
    serviceRoutes: serviceRoutes(account, {
      pageProjects,
      pendingInLists,
      limitConsumption: createTokenBucket(options.consumptionRatePerMinute ?? 50, wallClock),
    }),
    controlRoutes: controlRoutes({ account, faults, advance }),
    catchUp,
    limitRate: createRateLimit(options.rateLimitPerMinute, wallClock),
    latencyMs,
    closed,
    advance,
  };
}

/** Resolves to the root address, without a last slash. */
function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port: actualPort } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`);
    });
  });
}

/** Options of a later version; none of them matters to the contract. */
interface LaterOptions {
  /** The organisations that the projects are dealt out to; none by default. */
  readonly orgs?: LaterTerms['orgs'];
  /** Whose the keys are: `organisation` by default, `person` where there is not just one. */
  readonly keyOf?: LaterTerms['keyOf'];
  /** What the list says as `cpu_used_sec`; `present` by default. */
  readonly listCpu?: LaterTerms['listCpu'];
  /** Whether the list has deleted projects while they can be brought back; false by default. */
  readonly listDeleted?: boolean;
  /** How long timeframes still grow after their end, at most; 900 by default. */
  readonly consumptionLagSeconds?: number;
  /** Consumption requests a minute before 429; 50 by default. */
  readonly consumptionRatePerMinute?: number;
  /** Branches of a project that are not extra; 10 by default. */
  readonly includedBranches?: number;
  /** `month` by default. */
  readonly meteredIn?: LaterTerms['unit'];
}

export function laterTermsOf({
  orgs = [],
  keyOf = orgs.length === 1 ? 'organisation' : 'person',
  listCpu = 'present',
  listDeleted = false,
  consumptionLagSeconds = 900,
  includedBranches = 10,
  meteredIn: unit = 'month',
}: LaterOptions): LaterTerms {
  return { orgs, keyOf, listCpu, listDeleted, consumptionLagSeconds, includedBranches, unit };
}
