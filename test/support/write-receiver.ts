import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';
import { type ReceivedSeries, readWriteRequest, staleBits } from './write-request-reader.ts';

/** How a receiver deals with one request. */
export type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** It breaks the connection off. */
  | 'reset'
  /** It never answers. */
  | 'silence';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly series: readonly ReceivedSeries[];
}

export const taken: Answer = { status: 204 };

/** A receiver of remote write on loopback that keeps what it takes. */
export async function startWriteReceiver() {
  const asked: Received[] = [];
  const kept = new Map<string, Map<number, string>>();
  const receiver = {
    asked,
    /** Samples by series and instant; one that comes again must be the same. */
    kept,
    /** Decides on each request. */
    answer: (_received: Received, _index: number): Answer | Promise<Answer> => taken,
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      series: readWriteRequest(Buffer.concat(pieces)),
    };
    const index = asked.push(received) - 1;
    const answer = await receiver.answer(received, index);
    if (answer === 'silence') return;
    if (answer === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    try {
      if (answer.status < 300) for (const series of received.series) keep(kept, series);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    } catch (error) {
      // The sender says it, in its last sentence.
      response.writeHead(400).end(String(error));
    }
  });
  const { url, close } = await listenOnLoopback(server);
  return Object.assign(receiver, { url: `${url}/api/v1/write`, close });
}

function keep(kept: Map<string, Map<number, string>>, { labels, samples }: ReceivedSeries): void {
  const name = nameSeries(labels);
  const values = kept.get(name) ?? new Map<number, string>();
  kept.set(name, values);
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at, value, bits } of samples) {
    const text = bits === staleBits ? 'stale' : String(value);
    const before = values.get(at);
    if (before !== undefined && before !== text) throw new Error(`${name} at ${at}: ${before}, then ${text}`);
    if (at <= latest) throw new Error(`${name} at ${at} comes after ${latest}`);
    values.set(at, text);
    latest = at;
  }
}

/** As text of an exposition, with the labels in their order. */
export function nameSeries(labels: ReceivedSeries['labels']): string {
  const named = labels.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${named.join(',')}}`;
}
