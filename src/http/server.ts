import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { minuteMs } from '../resources/duration.ts';
import { openAccess, type TlsAccess, type WebAccess } from '../resources/web-access.ts';
import { isAllowedClient } from './client-certificate.ts';
import { Doorkeeper, healthPaths } from './doorkeeper.ts';
import { answerMetrics, type RenderMetrics } from './metrics-answer.ts';
import { secureContextOptions, tlsServerOptions } from './tls-option.ts';

/** An address, without a host all of them, or a socket that was opened before by another process. */
export type ListenPlace =
  | { readonly host: string | undefined; readonly port: number }
  | { readonly fd: number };

export interface ServerOptions {
  /** At least one. */
  readonly listen: readonly ListenPlace[];
  readonly telemetryPath: string;
  readonly renderMetrics: RenderMetrics;
  readonly renderLandingPage: () => string;
  /** Whether there is data to serve. */
  readonly isReady: () => boolean;
  /** A sentence that says that the daemon does not do its work any more, and should be started anew. */
  readonly findStall?: () => string | undefined;
  readonly onError: (error: unknown) => void;
  /** A client that takes nothing of its answer for so long loses it; a minute by default. */
  readonly stalledAfterMs?: number;
  /** How clients are let in, asked for each connection and request; anyone by plain HTTP unless told. */
  readonly access?: () => WebAccess;
  readonly healthWithoutLogin?: boolean;
  /** More places, where anyone is told by plain HTTP how the daemon is, and nothing else. */
  readonly healthListen?: readonly ListenPlace[];
  /** Loads the configuration anew and tells what is wrong with it; absent where nobody may ask for that. */
  readonly reload?: () => Promise<readonly string[]>;
}

/** Longer than any scrape interval in use, so that a scraper keeps its connection. */
const keepAliveTimeoutMs = 5 * minuteMs;
/** The time that answers under way have when the daemon stops. */
const longestAnswerMs = 1500;

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
    const app = routes(options, () => this.#draining, serves);
    const { healthWithoutLogin = false } = options;
    const doorkeeper = new Doorkeeper(access, { healthWithoutLogin });
    const listener: RequestListener = (request, response) => {
      // Ahead of the routes, which answer at once: afterwards there is no header left to set.
      if (this.#draining) response.setHeader('Connection', 'close');
      response.once('close', () => {
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
      server.keepAliveTimeout = keepAliveTimeoutMs;
      // An answer that nobody takes keeps a page in memory long after it was replaced.
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
        http.#health = new HttpServer({ ...open, listen: healthListen }, path => healthPaths.includes(path));
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
  if (tls === undefined) return createServer(listener);
  const server: TlsServer = createTlsServer(tlsServerOptions(tls), listener);
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

/** @param serves whether a path is answered at all. */
function routes(
  options: Omit<ServerOptions, 'access'>,
  isDraining: () => boolean,
  serves: (path: string) => boolean,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // One spelling of each path: what needs a login is told by it.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  const pages: Readonly<Record<string, (request: Request, response: Response) => unknown>> = {
    [options.telemetryPath]: (request, response) => answerMetrics(options.renderMetrics, request, response),
    '/': (_request, response) => sendPage(response, options.renderLandingPage()),
    '/-/healthy': (_request, response) => {
      const stall = options.findStall?.();
      sendText(response, stall === undefined ? 200 : 503, stall ?? 'dbpm-exporter is healthy.');
    },
    '/-/ready': (_request, response) => {
      if (isDraining()) sendText(response, 503, 'dbpm-exporter is stopping.');
      else if (options.isReady()) sendText(response, 200, 'dbpm-exporter is ready.');
      else sendText(response, 503, 'dbpm-exporter has nothing to serve yet: no reading succeeded so far.');
    },
  };
  for (const [path, answer] of Object.entries(pages).filter(([path]) => serves(path))) {
    app
      .route(path)
      .get(answer)
      .all((_request, response) => {
        response.setHeader('Allow', 'GET, HEAD');
        sendText(response, 405, 'Only GET and HEAD are answered here.');
      });
  }
  const reload = '/-/reload';
  if (serves(reload))
    app
      .route(reload)
      .post((_request, response) => answerReload(response, options.reload))
      .put((_request, response) => answerReload(response, options.reload))
      .all((_request, response) => {
        response.setHeader('Allow', 'POST, PUT');
        sendText(response, 405, 'Only POST and PUT are answered here.');
      });
  app.use((_request, response) => sendText(response, 404, 'Nothing is here; / says what there is.'));
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    options.onError(error);
    if (response.headersSent) response.destroy();
    else sendText(response, 500, 'The answer could not be made; the log says why.');
  };
  app.use(answerError);
  return app;
}

async function answerReload(response: Response, reload: ServerOptions['reload']): Promise<void> {
  if (reload === undefined) {
    sendText(response, 403, 'Reloading is not allowed: start with --web.enable-lifecycle, or send SIGHUP.');
    return;
  }
  const problems = await reload();
  if (problems.length === 0) sendText(response, 200, 'The configuration was loaded again.');
  else {
    sendText(response, 500, ['The configuration stays as it was:', ...problems].join('\n'));
  }
}

function sendPage(response: Response, html: string): void {
  // One of the web configuration goes before.
  if (!response.hasHeader('Content-Security-Policy')) {
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  }
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(html);
}

function sendText(response: Response, status: number, line: string): void {
  response.status(status).setHeader('Cache-Control', 'no-store').type('text').send(`${line}\n`);
}
