import type { IncomingMessage, ServerResponse } from 'node:http';
import { secondMs } from '../resources/duration.ts';
import type { TurnedAwayReason } from '../resources/web-access.ts';
import type { AnswerBound, SharedMemory } from './answer-bound.ts';
import { whenEnded } from './answer-end.ts';
import { acceptsGzip, type Negotiated, negotiate } from './content/negotiation.ts';
import { refuse } from './refusal.ts';

/** The page in pieces, in order, that are made as they are sent or stay as they are until the answer is done. */
interface MetricsPage {
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly bytes: number;
  /** The memory that the pieces are read from, shared with other answers. */
  readonly memory?: SharedMemory;
  /** Called when the answer was sent or given up: the pieces are not read any more. */
  readonly done?: () => void;
}

export type RenderMetrics = (format: Negotiated['format'], gzip: boolean) => Promise<MetricsPage>;

interface MetricsAnswerOptions {
  readonly render: RenderMetrics;
  readonly bound: AnswerBound;
  /** Time for the whole answer where the reader says nothing else. */
  readonly deadlineMs: number;
  readonly onTurnedAway: (reason: TurnedAwayReason) => void;
}

/** A reader may ask for no more time than this. */
const longestDeadlineMs = 120 * secondMs;
/** With TLS, what is written is copied at once, all of it. */
const chunkBytes = 262_144;

/**
 * Answers a scrape. It carries no validator, since the exporter's metrics about itself differ at every scrape; so every
 * conditional request and every range is answered in full.
 */
export async function answerMetrics(
  options: MetricsAnswerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = options.bound.begin(() => request.socket.destroy());
  if (answer === undefined) {
    const line = 'Too many readers take the metrics at the same time.';
    return refuse(response, 503, line, { 'Retry-After': '1', Connection: 'close' });
  }
  whenEnded(request, response, answer.end);
  const { format, contentType } = negotiate(request.headers.accept);
  const gzip = acceptsGzip(request.headers['accept-encoding']);
  const page = await options.render(format, gzip);
  if (page.done !== undefined) whenEnded(request, response, page.done);
  if (page.memory !== undefined) answer.hold(page.memory);
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': page.bytes,
    ...(gzip && { 'Content-Encoding': 'gzip' }),
    Vary: 'Accept, Accept-Encoding',
    'Cache-Control': 'no-store',
  });
  if (request.method !== 'HEAD') {
    setDeadline(options, request, response);
    await send(request, response, page);
  }
  response.end();
}

/** One call of the system takes the header and as much of the pieces as the reader is ready for. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { pieces }: MetricsPage,
): Promise<void> {
  response.cork();
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += chunkBytes) {
      if (request.socket.destroyed) return;
      if (response.write(piece.subarray(start, start + chunkBytes))) continue;
      response.uncork();
      await untilTaken(request, response);
      response.cork();
    }
  }
  response.uncork();
}

/** Settles when the reader is ready for more, or gone. */
async function untilTaken(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  const forget = whenEnded(request, response, resolve);
  await promise;
  response.off('drain', resolve);
  forget();
}

function setDeadline(
  { deadlineMs, onTurnedAway }: MetricsAnswerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const timer = setTimeout(
    () => {
      onTurnedAway('too_slow');
      request.socket.destroy();
    },
    Math.max(deadlineMs, wantedMs(request)),
  );
  whenEnded(request, response, () => clearTimeout(timer));
}

/** Prometheus says how long it waits for the whole of a scrape. */
function wantedMs({ headers }: IncomingMessage): number {
  const seconds = Number(headers['x-prometheus-scrape-timeout-seconds']);
  return Number.isNaN(seconds) ? 0 : Math.min((seconds + 1) * secondMs, longestDeadlineMs);
}
