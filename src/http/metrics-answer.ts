import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptsGzip, type Negotiated, negotiate } from './content/negotiation.ts';

/** The page in pieces, in order. They may be shared by many answers and stay as they are until all are done. */
export interface MetricsPage {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** Called when the answer was sent or given up: the pieces are not read any more. */
  readonly done?: () => void;
}

export type RenderMetrics = (format: Negotiated['format'], gzip: boolean) => Promise<MetricsPage>;

/**
 * Answers a scrape. It carries no validator, since the exporter's metrics about itself differ at every scrape; so every
 * conditional request and every range is answered in full.
 */
export async function answerMetrics(
  render: RenderMetrics,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { format, contentType } = negotiate(request.headers.accept);
  const gzip = acceptsGzip(request.headers['accept-encoding']);
  const body = await render(format, gzip);
  if (body.done !== undefined) callWhenClosed(response, body.done);
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': body.bytes,
    ...(gzip && { 'Content-Encoding': 'gzip' }),
    Vary: 'Accept, Accept-Encoding',
    'Cache-Control': 'no-store',
  });
  if (request.method !== 'HEAD') {
    // Header and all pieces in one call of the system.
    response.cork();
    for (const piece of body.pieces) response.write(piece);
    response.uncork();
  }
  response.end();
}

/** Calls `done` once all bytes were handed to the system, or the connection is gone. */
function callWhenClosed(response: ServerResponse, done: () => void): void {
  if (response.closed) done();
  else response.once('close', done);
}
