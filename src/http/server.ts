import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { minuteMs } from '../resources/duration.ts';
import { answerMetrics, type RenderMetrics } from './metrics-answer.ts';

export interface ServerOptions {
  /** Without a host: all addresses. */
  readonly listenAddress: { readonly host: string | undefined; readonly port: number };
  readonly telemetryPath: string;
  readonly renderMetrics: RenderMetrics;
  readonly renderLandingPage: () => string;
  /** Whether there is data to serve. */
  readonly isReady: () => boolean;
  readonly onError: (error: unknown) => void;
  /** A client that takes nothing of its answer for so long loses it; a minute by default. */
  readonly stalledAfterMs?: number;
}

/** Longer than any scrape interval in use, so that a scraper keeps its connection. */
const keepAliveTimeoutMs = 5 * minuteMs;
/** The time that answers under way have when the daemon stops. */
const longestAnswerMs = 1500;

/** Serves what the daemon publishes; never asks the service. */
export class HttpServer {
  readonly #server: Server;
  #draining = false;

  private constructor(options: ServerOptions) {
    this.#server = createServer(routes(options, () => this.#draining));
    this.#server.keepAliveTimeout = keepAliveTimeoutMs;
    // An answer that nobody takes keeps a page in memory long after it was replaced.
    this.#server.timeout = options.stalledAfterMs ?? minuteMs;
    // Ahead of the routes, which answer at once: afterwards there is no header left to set.
    this.#server.prependListener('request', (_request, response) => {
      if (this.#draining) response.setHeader('Connection', 'close');
      response.once('close', () => {
        if (this.#draining) setImmediate(() => this.#server.closeIdleConnections());
      });
    });
  }

  /** @throws the system's error when the address cannot be listened on. */
  static async start(options: ServerOptions): Promise<HttpServer> {
    const http = new HttpServer(options);
    const { host, port } = options.listenAddress;
    await new Promise<void>((resolve, reject) => {
      http.#server.once('error', reject);
      http.#server.listen({ port, ...(host !== undefined && { host }) }, () => {
        http.#server.off('error', reject);
        resolve();
      });
    });
    return http;
  }

  /** The URL of the server on this host. */
  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    const everywhere = address === '::' || address === '0.0.0.0';
    if (everywhere) return `http://localhost:${port}`;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** Ends readiness while requests are still answered: a load balancer then looks elsewhere. */
  drain(): void {
    this.#draining = true;
  }

  /** Lets answers under way finish, then closes. */
  async close(): Promise<void> {
    this.drain();
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
      setTimeout(() => this.#server.closeAllConnections(), longestAnswerMs).unref();
    });
  }
}

function routes(options: ServerOptions, isDraining: () => boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const pages: Readonly<Record<string, (request: Request, response: Response) => unknown>> = {
    [options.telemetryPath]: (request, response) => answerMetrics(options.renderMetrics, request, response),
    '/': (_request, response) => sendPage(response, options.renderLandingPage()),
    '/-/healthy': (_request, response) => sendText(response, 200, 'dbpm-exporter is healthy.'),
    '/-/ready': (_request, response) => {
      if (isDraining()) sendText(response, 503, 'dbpm-exporter is stopping.');
      else if (options.isReady()) sendText(response, 200, 'dbpm-exporter is ready.');
      else sendText(response, 503, 'dbpm-exporter has nothing to serve yet: no reading succeeded so far.');
    },
  };
  for (const [path, answer] of Object.entries(pages)) {
    app
      .route(path)
      .get(answer)
      .all((_request, response) => {
        response.setHeader('Allow', 'GET, HEAD');
        sendText(response, 405, 'Only GET and HEAD are answered here.');
      });
  }
  app.use((_request, response) => sendText(response, 404, 'Nothing is here; / says what there is.'));
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    options.onError(error);
    if (response.headersSent) response.destroy();
    else sendText(response, 500, 'The answer could not be made; the log says why.');
  };
  app.use(answerError);
  return app;
}

function sendPage(response: Response, html: string): void {
  response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.setHeader('Cache-Control', 'no-store');
  response.type('html').send(html);
}

function sendText(response: Response, status: number, line: string): void {
  response.status(status).setHeader('Cache-Control', 'no-store').type('text').send(`${line}\n`);
}
