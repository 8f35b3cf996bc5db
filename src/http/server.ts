import {
  createServer,
  type ServerOptions as NodeServerOptions,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { minuteMs, secondMs } from '../resources/duration.ts';
import { openAccess, type TlsAccess, type WebAccess } from '../resources/web-access.ts';
import { whenEnded } from './answer-end.ts';
import { ConnectionBound } from './connection-bound.ts';
import { Doorkeeper, healthPaths } from './doorkeeper.ts';
import { createRouter } from './router.ts';
import type { ListenPlace, ServerOptions } from './server-options.ts';
import { isAllowedClient, secureContextOptions, tlsServerOptions } from './tls.ts';

/** Longer than any scrape interval in use, so that a scraper keeps its connection. */
const keepAliveTimeoutMs = 5 * minuteMs;
/** The time that answers under way have when the daemon stops. */
const longestAnswerMs = 1500;
/** More than any scraper opens; each takes some tens of kilobytes. */
const usualConnections = 512;
/** Probes come one at a time. */
const healthConnections = 4;
/** How long a request may take to come. */
const requestTimes: NodeServerOptions = {
  headersTimeout: 15 * secondMs,
  requestTimeout: 30 * secondMs,
  connectionsCheckingInterval: 5 * secondMs,
};

const monotonicMs = () => performance.now();

/** Serves what the daemon publishes; never asks the service. */
export class HttpServer {
  readonly #servers: readonly Server[];
  readonly #scheme: 'http' | 'https';
  #health: HttpServer | undefined;
  #draining = false;

  private constructor(
    { access = () => openAccess, ...options }: ServerOptions,
    serves: (path: string) => boolean = () => true,
  ) {
    const { healthWithoutLogin = false, onTurnedAway = () => {}, now = monotonicMs } = options;
    const { mostConnections = usualConnections, onLogin = () => {} } = options;
    const app = createRouter({ ...options, onTurnedAway, now }, () => this.#draining, serves);
    const connections = new ConnectionBound(mostConnections, onTurnedAway, now);
    const { listen, externalUrl } = options;
    const doorkeeper = new Doorkeeper({ access, healthWithoutLogin, onLogin, listen, externalUrl });
    const listener: RequestListener = (request, response) => {
      // Ahead of the routes, which answer at once: afterwards there is no header left to set.
      if (this.#draining) response.setHeader('Connection', 'close');
      // Each of the answers to requests that came together listens to it.
      request.socket.setMaxListeners(0);
      const end = connections.begin(request.socket);
      whenEnded(request, response, () => {
        end();
        if (this.#draining) setImmediate(() => this.#closeIdle());
      });
      doorkeeper
        .admit(request, response, () => app(request, response))
        .catch(error => {
          options.onError(error);
          response.destroy();
        });
    };
    this.#scheme = access().tls === undefined ? 'http' : 'https';
    this.#servers = options.listen.map(() => {
      const server = openServer(access, listener);
      connections.follow(server);
      server.keepAliveTimeout = keepAliveTimeoutMs;
      // An answer that is not taken keeps a page in memory long after it was replaced.
      server.timeout = options.stalledAfterMs ?? minuteMs;
      return server;
    });
  }

  /** @throws the system's error when an address cannot be listened on; then none is. */
  static async start({ healthListen = [], ...options }: ServerOptions): Promise<HttpServer> {
    const http = new HttpServer(options);
    try {
      await http.#listen(options.listen);
      if (healthListen.length > 0) {
        const { access: _kept, ...open } = options;
        const few = { listen: healthListen, mostConnections: healthConnections };
        http.#health = new HttpServer({ ...open, ...few }, path => healthPaths.includes(path));
        await http.#health.#listen(healthListen);
      }
    } catch (error) {
      await http.close();
      throw error;
    }
    return http;
  }

  async #listen(places: readonly ListenPlace[]): Promise<void> {
    for (const [index, place] of places.entries()) await listen(this.#servers[index], place);
  }

  /** The URLs of the server on this host, one for each place it listens on. */
  get urls(): readonly string[] {
    return this.#servers.map(server => urlOf(this.#scheme, server.address()));
  }

  /** The URLs of the places for probes alone. */
  get healthUrls(): readonly string[] {
    return this.#health?.urls ?? [];
  }

  /** The first of the URLs. */
  get url(): string {
    return this.urls[0] ?? '';
  }

  /** Ends readiness while requests are still answered: a load balancer then looks elsewhere. */
  drain(): void {
    this.#draining = true;
    this.#health?.drain();
  }

  /** Lets answers under way finish, then closes. */
  async close(): Promise<void> {
    this.drain();
    const closed = this.#servers.map(server => new Promise<void>(resolve => server.close(() => resolve())));
    this.#closeIdle();
    setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
    }, longestAnswerMs).unref();
    await Promise.all([...closed, this.#health?.close()]);
  }

  #closeIdle(): void {
    for (const server of this.#servers) server.closeIdleConnections();
  }
}

/** A server with TLS where there is any at its start; certificates and rules may change while it runs. */
function openServer(access: () => WebAccess, listener: RequestListener): Server {
  const { tls } = access();
  if (tls === undefined) return createServer(requestTimes, listener);
  const server: TlsServer = createTlsServer({ ...requestTimes, ...tlsServerOptions(tls) }, listener);
  let inUse: TlsAccess = tls;
  server.prependListener('connection', () => {
    const { tls: wanted = inUse } = access();
    if (wanted === inUse) return;
    inUse = wanted;
    server.setSecureContext(secureContextOptions(wanted));
  });
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    if (!isAllowedClient(socket, inUse)) socket.destroy();
  });
  return server;
}

async function listen(server: Server | undefined, place: ListenPlace): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server?.once('error', reject);
    const { host, ...rest } = { host: undefined, ...place };
    server?.listen({ ...rest, ...(host !== undefined && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(scheme: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return `unix:${address ?? ''}`;
  const { address: host, family, port } = address;
  if (host === '::' || host === '0.0.0.0') return `${scheme}://localhost:${port}`;
  return `${scheme}://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
