import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { acceptsHtml } from './content/negotiation.ts';
import { plainPagePolicy, renderRefusal } from './content/plain-page.ts';

/** Answers with a line of text that says why there is nothing else. */
export function refuse(
  response: ServerResponse,
  status: number,
  line: string,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = Buffer.from(`${line}\n`);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(body);
}

/** Answers as `refuse` does, but browsers with a page that leads back. */
export function refuseReader(
  { headers: { accept } }: IncomingMessage,
  response: ServerResponse,
  status: number,
  line: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (!acceptsHtml(accept)) {
    refuse(response, status, line, headers);
    return;
  }
  setPlainPageHeaders(response);
  const body = Buffer.from(renderRefusal(status, line));
  response.writeHead(status, { 'Content-Length': body.length, ...headers });
  response.end(body);
}

/** Headers of a page without scripts; those of the web configuration go before. */
export function setPlainPageHeaders(response: ServerResponse): void {
  const headers = {
    'Content-Security-Policy': plainPagePolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
  };
  for (const [name, value] of Object.entries(headers))
    if (!response.hasHeader(name)) response.setHeader(name, value);
}
