import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

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
