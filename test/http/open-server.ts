import { once } from 'node:events';
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  ServerResponse,
} from 'node:http';
import { expect, onTestFinished, vi } from 'vitest';
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
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const renderMetrics = vi.fn(async () => {
    asked.resolve();
    await released.promise;
    return { pieces: [Buffer.from('late\n')], bytes: 5 };
  });
  return { renderMetrics, asked: asked.promise, release: released.resolve };
}

/** A page that is more than the buffers of two sockets hold, and what answers did with it so far. */
export function largePage() {
  const page = Buffer.alloc(16_000_000, 'x');
  const answers = new Set<ServerResponse>();
  const memories = new Set<ArrayBufferLike>();
  let mostWaiting = 0;
  const { write } = ServerResponse.prototype;
  const spy = vi.spyOn(ServerResponse.prototype, 'write').mockImplementation(function (
    this: ServerResponse,
    chunk: Uint8Array,
  ) {
    const wantsMore = write.call(this, chunk, 'utf8');
    answers.add(this);
    memories.add(chunk.buffer);
    mostWaiting = Math.max(mostWaiting, this.writableLength);
    return wantsMore;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    page,
    renderMetrics: async () => ({ pieces: [page], bytes: page.length }),
    /** Waits until a number of answers have begun to be sent. */
    untilSent: (count: number) => vi.waitFor(() => expect(answers.size).toBe(count), 30_000),
    /** The memory that answers are sent from. */
    memories: () => [...memories],
    /** The most bytes that waited in this process for the reader of any one answer. */
    mostWaiting: () => mostWaiting,
  };
}

interface RequestOptions {
  readonly method?: string;
  readonly agent?: Agent;
}

interface Answer {
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
