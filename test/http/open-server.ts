import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import { HttpServer } from '../../src/http/server.ts';
import type { ServerOptions } from '../../src/http/server-options.ts';

export const openmetricsAccept = 'application/openmetrics-text;version=1.0.0';

/** A server on a free port of loopback, closed with the test; `errors` is what it reported. */
export async function openServer(options: Partial<ServerOptions> = {}) {
  const errors: unknown[] = [];
  const all: ServerOptions = {
    listen: [{ host: '127.0.0.1', port: 0 }],
    telemetryPath: '/metrics',
    renderMetrics: async (format, gzip) => {
      const pieces = [Buffer.from(`${format} ${gzip ? 'gzip' : 'plain'}\n`), Buffer.from('tail\n')];
      return { pieces, bytes: pieces.reduce((sum, { length }) => sum + length, 0) };
    },
    renderLandingPage: () => '<!doctype html><title>home</title>',
    isReady: () => true,
    onError: error => errors.push(error),
    ...options,
  };
  const server = await HttpServer.start(all);
  const { url } = server;
  onTestFinished(() => server.close());
  const get = (path: string, headers: Record<string, string> = {}, more: RequestOptions = {}) =>
    send(url + path, headers, more);
  return { server, options: all, errors, get };
}

/** Pages whose answers wait until the test lets them go. */
export function heldPages() {
  const released = Promise.withResolvers<void>();
  const renderMetrics = vi.fn(async () => {
    await released.promise;
    return { pieces: [Buffer.from('late\n')], bytes: 5 };
  });
  return { renderMetrics, release: released.resolve };
}

interface RequestOptions {
  readonly method?: string;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Exactly as it came over the wire: not decompressed. */
  readonly body: string;
}

async function send(url: string, headers: Record<string, string>, options: RequestOptions): Promise<Answer> {
  const outgoing = request(url, { agent: false, ...options, headers });
  outgoing.end();
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (response === undefined) throw new Error('a response event carries a response');
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  const body = Buffer.concat(pieces).toString('latin1');
  return { status: response.statusCode, headers: response.headers, body };
}
