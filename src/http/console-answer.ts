import type { IncomingMessage, ServerResponse } from 'node:http';
import { whenEnded } from './answer-end.ts';
import { acceptsGzip } from './content/negotiation.ts';
import { refuseReader } from './refusal.ts';

/** A request for a page that another thread makes. */
export interface PageRequest {
  /** As the client wrote it. */
  readonly path: string;
  /** The query with its `?`; empty without one. */
  readonly search: string;
  readonly acceptsGzip: boolean;
  readonly ifNoneMatch?: string;
}

/** A page as it goes out. */
export interface MadePage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Why there is no page, in a sentence; browsers get it as a page that leads back. */
export interface RefusedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly line: string;
}

/** @param gone aborted when the client has gone. */
export type AnswerPage = (request: PageRequest, gone: AbortSignal) => Promise<MadePage | RefusedPage>;

/** Answers with a page; headers of the web configuration go before its own. */
export async function answerConsole(
  answerPage: AnswerPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, url = '/' } = request;
  const mark = url.indexOf('?');
  const ifNoneMatch = headers['if-none-match'];
  const gone = new AbortController();
  const forget = whenEnded(request, response, () => gone.abort());
  const question = {
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark),
    acceptsGzip: acceptsGzip(headers['accept-encoding']),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
  };
  const answer = await answerPage(question, gone.signal).finally(forget);
  if (response.destroyed) return;
  const { status, headers: own } = answer;
  if ('line' in answer) return refuseReader(request, response, status, answer.line, own);
  const { body } = answer;
  for (const [name, value] of Object.entries(own)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  response.statusCode = status;
  if (status !== 304) response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}
